/** What the webhooks of a protocol version are sent. */
export interface WebhookForm {
  /** The bare task as it stands at each status; else every event as a StreamResponse. */
  readonly wholeTask: boolean;
  readonly mediaType: string;
}

const tasks: WebhookForm = { wholeTask: true, mediaType: "application/json" };
const events: WebhookForm = { wholeTask: false, mediaType: "application/a2a+json" };

/** The form for a version (`Major.Minor`): 0.x knows the task only. */
export const webhookForm = (version: string): WebhookForm => (version.startsWith("0.") ? tasks : events);
