/** `a2a-typed/webhook`: receive what agents push: check who sent it, read any version, process each event once. */
export { A2AError, isA2AError } from "./errors.js";
export { createWebhookHandler, type WebhookHandlerOptions } from "./webhook/create-webhook-handler.js";
export type { RateLimit } from "./webhook/rate-limit.js";
export { recentKeys } from "./webhook/recent-keys.js";
export type {
  HeaderRecord,
  IncomingNotification,
  Notification,
  SeenKeys,
  VerifyOptions,
} from "./webhook/types.js";
export { verifyNotification } from "./webhook/verify-notification.js";
export { webhookRegistration, type RegistrationOptions } from "./webhook/webhook-registration.js";
