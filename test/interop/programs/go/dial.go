package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// dialOptions are for servers of this machine; calls say wrongVersion instead of their own version unless it is empty.
func dialOptions(wrongVersion string) []grpc.DialOption {
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if wrongVersion == "" {
		return options
	}
	return append(options, grpc.WithUnaryInterceptor(sayVersion(wrongVersion)))
}

func sayVersion(version string) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
	) error {
		said, _ := metadata.FromOutgoingContext(ctx)
		said = said.Copy()
		said.Set("a2a-version", version)
		return invoke(metadata.NewOutgoingContext(ctx, said), method, request, reply, conn, options...)
	}
}
