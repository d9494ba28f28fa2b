package main

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

// seen is what a step saw.
type seen map[string]any

// scene is what a step is given: a connected client, a way to make more, and a webhook.
type scene struct {
	*client
	connect func(ctx context.Context, wrongVersion string) (*client, error)
	webhook string
}

// The steps, each a function of what a client sees: the same ones, with the same outcomes, as in steps.ts.
var steps = map[string]func(context.Context, scene) (seen, error){
	"card":      stepCard,
	"send":      stepSend,
	"message":   stepMessage,
	"stream":    stepStream,
	"history":   stepHistory,
	"list":      stepList,
	"input":     stepInput,
	"cancel":    stepCancel,
	"subscribe": stepSubscribe,
	"push":      stepPush,
	"unknown":   stepUnknown,
	"version":   stepVersion,
}

func stepCard(_ context.Context, s scene) (seen, error) {
	skills := []string{}
	for _, skill := range s.card.Skills {
		skills = append(skills, skill.ID)
	}
	capabilities := s.card.Capabilities
	return seen{
		"name":      s.card.Name,
		"streaming": capabilities.Streaming,
		"push":      capabilities.PushNotifications,
		"skills":    skills,
	}, nil
}

func stepSend(ctx context.Context, s scene) (seen, error) {
	done, err := s.send(ctx, say{text: "complete"})
	return seen{"kind": done.kind, "state": done.state, "text": done.text}, err
}

func stepMessage(ctx context.Context, s scene) (seen, error) {
	reply, err := s.send(ctx, say{text: "message"})
	return seen{"kind": reply.kind, "text": reply.text}, err
}

func stepStream(ctx context.Context, s scene) (seen, error) {
	var events []told
	err := s.stream(ctx, say{text: "stream 5"}, func(event told) error {
		events = append(events, event)
		return nil
	})
	var text strings.Builder
	for _, event := range events {
		if event.kind == "artifact" {
			text.WriteString(event.text)
		}
	}
	return seen{"first": firstKind(events), "states": statesOf(events), "text": text.String()}, err
}

func stepHistory(ctx context.Context, s scene) (seen, error) {
	asked, err := s.send(ctx, say{text: "ask"})
	if err != nil {
		return nil, err
	}
	if _, err := s.send(ctx, say{text: "Paris", taskID: asked.id, contextID: asked.contextID}); err != nil {
		return nil, err
	}
	whole, err := s.history(ctx, asked.id, -1)
	if err != nil {
		return nil, err
	}
	users := []string{}
	for _, message := range whole {
		if message.Role == a2a.MessageRoleUser {
			users = append(users, textOf(message.Parts))
		}
	}
	one, err := s.history(ctx, asked.id, 1)
	if err != nil {
		return nil, err
	}
	none, err := s.history(ctx, asked.id, 0)
	return seen{"all": users, "one": len(one), "none": len(none)}, err
}

func stepList(ctx context.Context, s scene) (seen, error) {
	contextID := a2a.NewContextID()
	var sent, listed []string
	for range 3 {
		done, err := s.send(ctx, say{text: "complete", contextID: contextID})
		if err != nil {
			return nil, err
		}
		sent = append(sent, done.id)
	}
	first, err := s.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: contextID, PageSize: 2})
	if err != nil {
		return nil, err
	}
	next := &a2a.ListTasksRequest{ContextID: contextID, PageSize: 2, PageToken: first.NextPageToken}
	second, err := s.ListTasks(ctx, next)
	if err != nil {
		return nil, err
	}
	for _, task := range append(first.Tasks, second.Tasks...) {
		listed = append(listed, string(task.ID))
	}
	slices.Sort(sent)
	slices.Sort(listed)
	return seen{
		"pages": []int{len(first.Tasks), len(second.Tasks)},
		"total": first.TotalSize,
		"same":  slices.Equal(sent, listed),
		"more":  second.NextPageToken != "",
	}, nil
}

func stepInput(ctx context.Context, s scene) (seen, error) {
	asked, err := s.send(ctx, say{text: "ask"})
	if err != nil {
		return nil, err
	}
	done, err := s.send(ctx, say{text: "Paris", taskID: asked.id, contextID: asked.contextID})
	return seen{
		"asked":    asked.state,
		"question": asked.note,
		"same":     done.id == asked.id,
		"state":    done.state,
		"text":     done.text,
	}, err
}

func stepCancel(ctx context.Context, s scene) (seen, error) {
	running, err := s.send(ctx, say{text: "tick", immediately: true})
	if err != nil {
		return nil, err
	}
	canceled, err := s.cancel(ctx, running.id)
	if err != nil {
		return nil, err
	}
	finished, err := s.send(ctx, say{text: "complete"})
	if err != nil {
		return nil, err
	}
	_, again := s.cancel(ctx, finished.id)
	return seen{
		"running":  running.state == "submitted" || running.state == "working",
		"state":    canceled.state,
		"finished": reasonOf(again),
	}, nil
}

func stepSubscribe(ctx context.Context, s scene) (seen, error) {
	running, err := s.send(ctx, say{text: "tick", immediately: true})
	if err != nil {
		return nil, err
	}
	second, err := s.connect(ctx, "")
	if err != nil {
		return nil, err
	}
	var events []told
	err = second.subscribe(ctx, running.id, func(event told) error {
		events = append(events, event)
		if len(events) > 1 {
			return nil
		}
		_, err := s.send(ctx, say{text: "release " + running.id})
		return err
	})
	same := !slices.ContainsFunc(events, func(event told) bool { return event.id != running.id })
	return seen{"first": firstKind(events), "id": same, "last": lastOf(statesOf(events))}, err
}

func stepPush(ctx context.Context, s scene) (seen, error) {
	asked, err := s.send(ctx, say{text: "ask"})
	if err != nil {
		return nil, err
	}
	id := a2a.TaskID(asked.id)
	hook := &a2a.PushConfig{TaskID: id, ID: "hook-1", URL: s.webhook, Token: "secret"}
	made, err := s.CreateTaskPushConfig(ctx, hook)
	if err != nil {
		return nil, err
	}
	got := attempt(func() (any, error) {
		one, err := s.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: id, ID: hook.ID})
		return err == nil && one.URL == hook.URL, err
	})
	list := func() (any, error) {
		configs, err := s.ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: id})
		ids := []string{}
		for _, one := range configs {
			ids = append(ids, one.ID)
		}
		return ids, err
	}
	listed := attempt(list)
	left := attempt(func() (any, error) {
		err := s.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: id, ID: hook.ID})
		if err != nil {
			return nil, err
		}
		return list()
	})
	if _, deleted := left.([]string); deleted {
		if _, err := s.CreateTaskPushConfig(ctx, hook); err != nil {
			return nil, err
		}
	}
	if _, err := s.send(ctx, say{text: "Paris", taskID: asked.id, contextID: asked.contextID}); err != nil {
		return nil, err
	}
	all := seen{"made": made.URL == hook.URL, "got": got, "listed": listed, "left": left}
	return all, addDelivery(s.webhook, all)
}

// attempt is what a call gives, or what its failure means: one of several calls of a step may be missing.
func attempt(call func() (any, error)) any {
	value, err := call()
	if err != nil {
		return reasonOf(err)
	}
	return value
}

// addDelivery adds what the webhook was told.
func addDelivery(webhook string, to seen) error {
	response, err := http.Get(webhook)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(&to)
}

func stepUnknown(ctx context.Context, s scene) (seen, error) {
	const id = "no-such-task"
	_, get := s.history(ctx, id, -1)
	_, cancel := s.cancel(ctx, id)
	subscribe := s.subscribe(ctx, id, func(told) error { return nil })
	_, send := s.send(ctx, say{text: "complete", taskID: id})
	return seen{
		"get":       reasonOf(get),
		"cancel":    reasonOf(cancel),
		"subscribe": reasonOf(subscribe),
		"send":      reasonOf(send),
	}, nil
}

func stepVersion(ctx context.Context, s scene) (seen, error) {
	wrong, err := s.connect(ctx, "9.9")
	if err != nil {
		return nil, err
	}
	_, err = wrong.send(ctx, say{text: "complete"})
	return seen{"error": reasonOf(err)}, nil
}

func firstKind(events []told) string {
	if len(events) == 0 {
		return "absent"
	}
	return events[0].kind
}

// statesOf gives the states in the order in which they were said, repeats left out.
func statesOf(events []told) []string {
	states := []string{}
	for _, event := range events {
		if event.state != "" && lastOf(states) != event.state {
			states = append(states, event.state)
		}
	}
	return states
}

func lastOf(states []string) string {
	if len(states) == 0 {
		return "absent"
	}
	return states[len(states)-1]
}
