package main

import (
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

// told is a task, a message or an event, in words of no version.
type told struct {
	kind, id, contextID, state, text, note string
}

func tellTask(task *a2a.Task) told {
	var text strings.Builder
	for _, artifact := range task.Artifacts {
		text.WriteString(textOf(artifact.Parts))
	}
	return told{"task", string(task.ID), task.ContextID, stateOf(task.Status.State), text.String(), noteOf(task.Status)}
}

func tell(event a2a.Event) (told, error) {
	switch one := event.(type) {
	case *a2a.Task:
		return tellTask(one), nil
	case *a2a.Message:
		return told{"message", string(one.TaskID), one.ContextID, "", textOf(one.Parts), ""}, nil
	case *a2a.TaskStatusUpdateEvent:
		return told{"status", string(one.TaskID), one.ContextID, stateOf(one.Status.State), "", noteOf(one.Status)}, nil
	case *a2a.TaskArtifactUpdateEvent:
		return told{"artifact", string(one.TaskID), one.ContextID, "", textOf(one.Artifact.Parts), ""}, nil
	}
	return told{}, fmt.Errorf("an event of type %T", event)
}

func stateOf(state a2a.TaskState) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(state), "TASK_STATE_")), "_", "-")
}

func noteOf(status a2a.TaskStatus) string {
	if status.Message == nil {
		return ""
	}
	return textOf(status.Message.Parts)
}

func textOf(parts a2a.ContentParts) string {
	var text strings.Builder
	for _, part := range parts {
		text.WriteString(part.Text())
	}
	return text.String()
}
