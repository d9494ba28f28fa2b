package main

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"
)

// runClient runs the steps that are asked for, and prints a line for each.
func runClient(args []string) error {
	flags := flag.NewFlagSet("client", flag.ContinueOnError)
	url := flags.String("url", "", "base URL, below which the card is")
	binding := flags.String("binding", "JSONRPC", "")
	version := flags.String("version", "1.0", "")
	flags.String("endpoint", "", "for clients that read no card")
	webhook := flags.String("webhook", "", "a receiver of webhooks")
	wanted := flags.String("steps", "", "comma-separated")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx := context.Background()
	make := func(ctx context.Context, wrongVersion string) (*client, error) {
		return connect(ctx, *url, *binding, *version, wrongVersion)
	}
	out := json.NewEncoder(os.Stdout)
	for name := range strings.SplitSeq(*wanted, ",") {
		line := map[string]any{"step": name}
		if got, err := runStep(ctx, name, make, *webhook); err != nil {
			line["failed"] = plainly(err)
		} else {
			line["seen"] = got
		}
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func runStep(
	ctx context.Context,
	name string,
	make func(context.Context, string) (*client, error),
	webhook string,
) (seen, error) {
	made, err := make(ctx, "")
	if err != nil {
		return nil, err
	}
	return steps[name](ctx, scene{made, make, webhook})
}
