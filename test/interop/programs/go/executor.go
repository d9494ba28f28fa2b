package main

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

// executor does what the text of a message tells it to.
type executor struct {
	// One channel per task that ticks; closed when it is released.
	released sync.Map
}

// sending passes an event on; false where nobody takes more.
type sending func(a2a.Event) bool

func (e *executor) Execute(ctx context.Context, at *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		e.play(ctx, at, func(event a2a.Event) bool { return yield(event, nil) })
	}
}

func (e *executor) Cancel(_ context.Context, at *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(at, a2a.TaskStateCanceled, nil), nil)
	}
}

func (e *executor) play(ctx context.Context, at *a2asrv.ExecutorContext, send sending) {
	todo := scriptOf(textOf(at.Message.Parts), at.StoredTask != nil)
	switch todo.do {
	case "release":
		if stop, ok := e.released.LoadAndDelete(a2a.TaskID(todo.text)); ok {
			close(stop.(chan struct{}))
		}
		send(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("released")))
		return
	case "message":
		send(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart(todo.text)))
		return
	}
	if at.StoredTask == nil && !send(a2a.NewSubmittedTask(at, at.Message)) {
		return
	}
	if todo.do == "ask" {
		question := a2a.NewMessageForTask(a2a.MessageRoleAgent, at, a2a.NewTextPart(todo.text))
		send(a2a.NewStatusUpdateEvent(at, a2a.TaskStateInputRequired, question))
		return
	}
	if !send(a2a.NewStatusUpdateEvent(at, a2a.TaskStateWorking, nil)) {
		return
	}
	switch todo.do {
	case "complete":
		todo.chunks = []string{todo.text}
		fallthrough
	case "stream":
		for n, text := range todo.chunks {
			if !send(chunk(at, text, n > 0, n == len(todo.chunks)-1)) {
				return
			}
		}
	case "tick":
		if !e.tick(ctx, at, send) {
			return
		}
	}
	send(a2a.NewStatusUpdateEvent(at, a2a.TaskStateCompleted, nil))
}

// tick says something again and again until the task is released; false where it is canceled.
func (e *executor) tick(ctx context.Context, at *a2asrv.ExecutorContext, send sending) bool {
	stop := make(chan struct{})
	e.released.Store(at.TaskID, stop)
	ticker := time.NewTicker(tickTime)
	defer ticker.Stop()
	for said := 0; ; said++ {
		if !send(chunk(at, "tick ", said > 0, false)) {
			return false
		}
		select {
		case <-stop:
			return true
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
	}
}

func chunk(at a2a.TaskInfoProvider, text string, more, last bool) *a2a.TaskArtifactUpdateEvent {
	event := a2a.NewArtifactUpdateEvent(at, "a", a2a.NewTextPart(text))
	event.Append = more
	event.LastChunk = last
	return event
}
