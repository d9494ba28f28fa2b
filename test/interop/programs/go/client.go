package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	a2agrpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	a2agrpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
)

// client is a client of the SDK and the card that it was made from.
type client struct {
	*a2aclient.Client
	card *a2a.AgentCard
}

// connect reads the card and takes its interface of one binding and version; wrongVersion is said instead of its own unless empty.
func connect(ctx context.Context, url, binding, version, wrongVersion string) (*client, error) {
	resolver := &agentcard.Resolver{CardParser: a2av0.NewAgentCardParser()}
	card, err := resolver.Resolve(ctx, url)
	if err != nil {
		return nil, err
	}
	var chosen []*a2a.AgentInterface
	for _, one := range card.SupportedInterfaces {
		if string(one.ProtocolBinding) == binding && strings.HasPrefix(string(one.ProtocolVersion), version) {
			chosen = append(chosen, withRoot(*one))
		}
	}
	card.SupportedInterfaces = chosen
	httpClient := &http.Client{Timeout: 20 * time.Second, Transport: saying{wrongVersion}}
	made, err := a2aclient.NewFromCard(ctx, card,
		a2aclient.WithJSONRPCTransport(httpClient),
		a2aclient.WithRESTTransport(httpClient),
		a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{Client: httpClient}),
		a2av0.WithRESTTransport(a2av0.RESTTransportConfig{Client: httpClient}),
		a2agrpcv1.WithGRPCTransport(dialOptions(wrongVersion)...),
		a2agrpcv0.WithGRPCTransport(dialOptions(wrongVersion)...),
	)
	if err != nil {
		return nil, err
	}
	return &client{made, card}, nil
}

// withRoot adds to the URL of an interface what the paths of 0.3 begin with over HTTP+JSON: those of the SDK lack it.
func withRoot(one a2a.AgentInterface) *a2a.AgentInterface {
	if one.ProtocolBinding == a2a.TransportProtocolHTTPJSON && strings.HasPrefix(string(one.ProtocolVersion), "0.3") {
		one.URL = strings.TrimSuffix(one.URL, "/") + "/v1"
	}
	return &one
}

// saying says another version than the client does, on its way out.
type saying struct{ version string }

func (s saying) RoundTrip(request *http.Request) (*http.Response, error) {
	if s.version != "" {
		request = request.Clone(request.Context())
		request.Header.Set("A2A-Version", s.version)
	}
	return http.DefaultTransport.RoundTrip(request)
}

// say is a message to send: its text, and what it belongs to.
type say struct {
	text, taskID, contextID string
	immediately             bool
}

func (s say) request() *a2a.SendMessageRequest {
	message := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(s.text))
	message.TaskID = a2a.TaskID(s.taskID)
	message.ContextID = s.contextID
	return &a2a.SendMessageRequest{
		Message: message,
		Config:  &a2a.SendMessageConfig{ReturnImmediately: s.immediately},
	}
}

func (c *client) send(ctx context.Context, s say) (told, error) {
	result, err := c.SendMessage(ctx, s.request())
	if err != nil {
		return told{}, err
	}
	return tell(result)
}

// stream calls each with every event, and stops at its first error.
func (c *client) stream(ctx context.Context, s say, each func(told) error) error {
	return reading(c.SendStreamingMessage(ctx, s.request()), each)
}

func (c *client) subscribe(ctx context.Context, id string, each func(told) error) error {
	return reading(c.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: a2a.TaskID(id)}), each)
}

func reading(events func(func(a2a.Event, error) bool), each func(told) error) error {
	for event, err := range events {
		if err != nil {
			return err
		}
		one, err := tell(event)
		if err != nil {
			return err
		}
		if err := each(one); err != nil {
			return err
		}
	}
	return nil
}

// history gives the messages of a task; all of them where length is negative.
func (c *client) history(ctx context.Context, id string, length int) ([]*a2a.Message, error) {
	request := &a2a.GetTaskRequest{ID: a2a.TaskID(id)}
	if length >= 0 {
		request.HistoryLength = &length
	}
	task, err := c.GetTask(ctx, request)
	if err != nil {
		return nil, err
	}
	return task.History, nil
}

func (c *client) cancel(ctx context.Context, id string) (told, error) {
	task, err := c.CancelTask(ctx, &a2a.CancelTaskRequest{ID: a2a.TaskID(id)})
	if err != nil {
		return told{}, err
	}
	return tellTask(task), nil
}

// reasonOf is what an error means: the reason of the protocol where it is known, else its text.
func reasonOf(err error) string {
	if err == nil {
		return "no error"
	}
	reason := a2a.ErrorReason(err)
	if reason == "INTERNAL_ERROR" && !errors.Is(err, a2a.ErrInternalError) {
		return plainly(err)
	}
	return reason
}

func plainly(err error) string {
	text, _, _ := strings.Cut(fmt.Sprintf("%T: %s", err, err), "\n")
	return text
}
