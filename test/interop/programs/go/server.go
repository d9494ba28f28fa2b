package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
)

type endpoint struct {
	Binding string `json:"binding"`
	Version string `json:"version"`
	URL     string `json:"url"`
}

// runServer serves both versions on a free port of this machine until the program's input is closed.
func runServer() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	rpcListener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	address := rpcListener.Addr().String()
	endpoints := []endpoint{
		{"JSONRPC", "1.0", url + "/rpc"},
		{"HTTP+JSON", "1.0", url + "/rest"},
		{"JSONRPC", "0.3", url + "/rpc03"},
		{"HTTP+JSON", "0.3", url + "/rest03"},
		{"GRPC", "1.0", address},
		{"GRPC", "0.3", address},
	}
	card := cardOf(endpoints)
	handler := a2asrv.NewHandler(&executor{},
		a2asrv.WithCapabilityChecks(&card.Capabilities),
		a2asrv.WithTaskStore(storeForAnyone()),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil)),
	)
	mux := http.NewServeMux()
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
	mux.Handle("/rpc03", a2av0.NewJSONRPCHandler(handler))
	// Its routes lack the /v1 of the specification, so that is part of the path where they are mounted.
	mux.Handle("/rest03/v1/", http.StripPrefix("/rest03/v1", a2av0.NewRESTHandler(handler)))
	cards := a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(card))
	mux.Handle(a2asrv.WellKnownAgentCardPath, cards)
	go func() {
		if err := serveGRPC(rpcListener, handler); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"url": url, "endpoints": endpoints}); err != nil {
		return err
	}
	return http.Serve(listener, mux)
}

// storeForAnyone gives callers without a name one: the store lists no tasks for nobody.
func storeForAnyone() *taskstore.InMemory {
	return taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{
		Authenticator: func(context.Context) (string, error) { return "anyone", nil },
	})
}

func cardOf(endpoints []endpoint) *a2a.AgentCard {
	card := &a2a.AgentCard{
		Name:               "Interop",
		Description:        "Does what it is told.",
		Version:            "1.0.0",
		Capabilities:       a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Skills: []a2a.AgentSkill{
			{ID: "interop", Name: "Interop", Description: "Does what it is told.", Tags: []string{"test"}},
		},
	}
	for _, one := range endpoints {
		added := a2a.NewAgentInterface(one.URL, a2a.TransportProtocol(one.Binding))
		added.ProtocolVersion = a2a.ProtocolVersion(one.Version)
		card.SupportedInterfaces = append(card.SupportedInterfaces, added)
	}
	return card
}
