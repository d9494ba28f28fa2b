import type { Letter } from "../store/types.js";
import type { LiveTask } from "../task/live-task.js";
import { Ticket } from "../task/ticket.js";
import { settledNow } from "../task/visit.js";
import { waitUntil } from "../task/wait-until.js";
import { A2AError, isA2AError } from "../errors.js";
import { refusalOf, type Errand, type ErrandAnswer } from "./errands.js";
import { keptRequest } from "./kept-run.js";
import { over } from "./operations/accept-message.js";
import { cancelLive } from "./operations/cancel-task.js";
import { offerMessage } from "./operations/offer-message.js";
import type { ServiceContext } from "./service-context.js";

/**
 * Does what a letter of another instance asks for a task that is worked on here. Gives the answer; undefined where it goes
 * into the store with what the letter led to.
 */
export async function readLetter(
  service: ServiceContext,
  live: LiveTask,
  letter: Letter,
): Promise<string | undefined> {
  try {
    const answer = await done(service, live, letter);
    return answer && JSON.stringify(answer);
  } catch (error) {
    // What was lost to another instance is for that one to answer.
    if (live.lost !== undefined) throw error;
    if (!isA2AError(error)) service.runtime.log.error(`task ${live.id}: a letter failed`, error);
    return JSON.stringify(refusalOf(error));
  }
}

async function done(
  service: ServiceContext,
  live: LiveTask,
  letter: Letter,
): Promise<ErrandAnswer | undefined> {
  const errand = JSON.parse(letter.text) as Errand;
  switch (errand.kind) {
    case "message": {
      // Its end may still be on its way into the store.
      if (live.terminal) throw over(live.id);
      const ticket = new Ticket();
      const answer = (): { id: string; text: string } => {
        const { received: k, revision } = live;
        const told: ErrandAnswer = { k, revision, ...(ticket.taken && { floor: ticket.floor }) };
        return { id: letter.id, text: JSON.stringify(told) };
      };
      const { message, request, configs } = errand;
      const info = keptRequest(request, live.scope);
      offerMessage(service, live, { message, info, configs, ticket, answer })?.go();
      return undefined;
    }
    case "taken": {
      const ticket = service.runtime.sessionOf(live).ticketOf(errand.k);
      if (ticket === undefined) return {};
      await takenOrOver(live, ticket);
      return ticket.taken ? { floor: ticket.floor } : {};
    }
    case "cancel":
      await cancelLive(service, live, errand.metadata);
      return {};
    case "webhook":
      live.addWebhook(errand.config);
      return {};
    case "noWebhook":
      live.removeWebhook(errand.id);
      // A commit on its way may carry deliveries: they must be there before they are deleted.
      await settledNow(live);
      return {};
    default:
      throw new A2AError("UNAVAILABLE", "The instance that works on this task is of another version");
  }
}

/** Resolves when the agent takes a message, or the task ends without that. Whichever it is, nobody watches the task after it. */
async function takenOrOver(live: LiveTask, ticket: Ticket): Promise<void> {
  const taken = new AbortController();
  ticket.whenTaken(() => {
    taken.abort();
  });
  try {
    await waitUntil(live, () => (ticket.taken || live.terminal ? true : undefined), taken);
  } catch (error) {
    if (!ticket.taken) throw error;
  }
}
