package main

import (
	"net"

	a2agrpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	a2agrpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"google.golang.org/grpc"
)

// serveGRPC serves both versions over gRPC to whom listener accepts.
func serveGRPC(listener net.Listener, handler a2asrv.RequestHandler) error {
	server := grpc.NewServer()
	a2agrpcv1.NewHandler(handler).RegisterWith(server)
	a2agrpcv0.NewHandler(handler).RegisterWith(server)
	return server.Serve(listener)
}
