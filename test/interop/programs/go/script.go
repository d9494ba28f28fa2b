package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const tickTime = 25 * time.Millisecond

// script is one thing to do; text is what is said, the question, or the task to release.
type script struct {
	do, text string
	chunks   []string
}

// scriptOf reads the text of a first message, the same as in script.ts; an answer is completed whatever it says.
func scriptOf(text string, answers bool) script {
	word, argument, _ := strings.Cut(text, " ")
	switch {
	case answers:
		return script{do: "complete", text: "heard " + text}
	case word == "message":
		return script{do: "message", text: "heard message"}
	case word == "ask":
		return script{do: "ask", text: "Which city?"}
	case word == "tick":
		return script{do: "tick"}
	case word == "release":
		return script{do: "release", text: argument}
	case word == "stream":
		count, _ := strconv.Atoi(argument)
		var chunks []string
		for n := range count {
			chunks = append(chunks, fmt.Sprintf("%d ", n))
		}
		return script{do: "stream", chunks: chunks}
	}
	return script{do: "complete", text: "heard " + text}
}
