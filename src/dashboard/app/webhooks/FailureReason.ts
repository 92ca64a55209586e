/** An attempt that did not succeed, as the platform kept it. */
export interface FailedAttempt {
  /** The receiver's HTTP status; null where no answer came. */
  readonly status: number | null
  /** What went wrong before an answer came; null where one came. */
  readonly error: string | null
}

/** Why an attempt failed, for whoever runs the receiver. */
export interface FailureReason {
  /** What happened. */
  readonly what: string
  /** What to do about it. */
  readonly advice: string
}

/** What to do where no answer came: by words of the sender's error, the first that match. */
const ADVICE_BY_ERROR: ReadonlyArray<readonly [words: RegExp, advice: string]> = [
  [
    / is an? .*(?:address|network|look-ups|discards)| is not in WEBHOOK_ALLOWED_NETWORKS|public address/,
    "Deliveries only go to public addresses. Use one that the internet can reach, or forward events to your own machine with `emporion webhooks listen`."
  ],
  [
    /no answer within/,
    "Answer 2xx as soon as the event is stored, and do the work afterwards: a receiver has 5 seconds."
  ],
  [
    /certificate/,
    "Renew the certificate, or install its whole chain, so that its name, its dates and its authority are valid."
  ],
  [/TLS/, "Serve https at this port, with TLS 1.2 or later."],
  [/refused/, "Nothing listens at this address and port. Start the receiver, or correct the endpoint's URL."],
  [/closed before/, "The receiver ended the connection before it answered. Look for a crash in its log."],
  [/resolve|no address/, "Check the spelling of the endpoint's host name, and its DNS record."],
  [
    /not HTTP|headers are too large/,
    "Something else than a web server listens at this port. Correct the endpoint's URL."
  ],
  [/https:\/\//, "Change the endpoint's URL to an https address."]
]

const ADVICE_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, "The receiver did not understand the request. It must take the JSON body as it is sent, byte for byte."],
  [401, "The receiver asks for credentials. Let it accept requests by their signature, with this endpoint's secret."],
  [
    403,
    "The receiver refused it. Check that it verifies with this endpoint's present secret, and that no firewall is in front."
  ],
  [404, "There is nothing at this path. Correct the endpoint's URL."],
  [405, "The receiver must take POST at this path."],
  [408, "Answer 2xx as soon as the event is stored, and do the work afterwards: a receiver has 5 seconds."],
  [410, "The receiver says that it is gone for good. Change the endpoint's URL, or delete the endpoint."],
  [413, "The receiver takes too small bodies. Allow at least 64 KiB."],
  [429, "The receiver limits requests. Allow more of them, or retry later."]
])

const byStatus = (status: number): string => {
  const known = ADVICE_BY_STATUS.get(status)
  if (known !== undefined) return known
  if (status < 300) return "Nothing is to be done."
  if (status < 400) return "Redirects are not followed. Give the endpoint the address that it redirects to."
  if (status < 500) return "The receiver refused the request. Its answer may say why."
  return "It failed while it took the event. Its own log of this moment says why."
}

const sentence = (text: string): string => {
  const trimmed = text.trim()
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}

/** Says why an attempt failed and what to do. Specification 6.3: any answer but 2xx within 5 seconds is a failure. */
export const failureReason = ({ error, status }: FailedAttempt): FailureReason => {
  if (status !== null) return { what: `The receiver answered ${status}.`, advice: byStatus(status) }
  const text = error ?? "no answer came"
  const advice = ADVICE_BY_ERROR.find(([words]) => words.test(text))?.[1]
  return { what: sentence(text), advice: advice ?? "Check that the receiver is up and reachable from the internet." }
}
