import { oneOf, refuses, type ValidationTables, words } from "./Rule.ts"

/** Where examples of events are posted. Specification 4.2, 6.1. */
export const webhookRules: ValidationTables = {
  "POST /v1/webhooks/test": {
    required: ["endpoint", "event"],
    rules: [
      ...words("endpoint", 1, 2_048),
      ...refuses("endpoint", "Expected an https URL such as", "example.com", "//example.com", "https://"),
      ...refuses("endpoint", "Expected a URL that starts with https://", "http://example.com", "ftp://example.com"),
      ...refuses("endpoint", "Expected a URL without a user and password", "https://ada:secret@example.com"),
      ...refuses(
        "endpoint",
        "Expected a public address",
        "https://127.0.0.1/",
        "https://10.0.0.5:8443/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "https://0x7f.1/"
      ),
      ...oneOf("event", "order.created", "webhook.test")
    ]
  }
}
