// Program interop is the Go SDK as a client and as a server: "interop client --url …" or "interop server".
package main

import (
	"fmt"
	"os"
)

func main() {
	role := ""
	if len(os.Args) > 1 {
		role = os.Args[1]
	}
	var err error
	switch role {
	case "client":
		err = runClient(os.Args[2:])
	case "server":
		err = runServer()
	default:
		err = fmt.Errorf("usage: interop client|server, not %q", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
