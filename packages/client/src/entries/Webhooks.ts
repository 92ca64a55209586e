/** `emporion-client/webhooks`: whether a delivery is genuine, and what it tells. */
export type { WebhookEvents } from "../Contract.ts"
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
  WebhookRefused
} from "../WebhookVerification.ts"
