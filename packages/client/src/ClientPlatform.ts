/** A WebSocket, as far as a client needs one. Every standard one is. */
export interface ClientSocket {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: "open", listener: () => void): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void
}

/** What a client takes from where it runs. */
export interface ClientPlatform {
  readonly WebSocket: new (url: string, protocols: Array<string>) => ClientSocket
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since any moment. */
  readonly now: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  /** A text that nobody else makes. */
  readonly uuid: () => string
  /** Runs something after so many milliseconds. Answers how to call it off. */
  readonly after: (millis: number, run: () => void) => () => void
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0")

/** The platform of Bun, of Deno, of Node from version 22 on, and of browsers. */
export const standardPlatform = (): ClientPlatform => ({
  WebSocket: globalThis.WebSocket,
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => performance.now(),
  random: () => Math.random(),
  // A page that came over plain http has no `randomUUID`.
  uuid: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hex).join(""),
  after: (millis, run) => {
    const timer = setTimeout(run, millis)
    return () => clearTimeout(timer)
  }
})

/** A platform that can open WebSockets; throws for one that cannot, such as Node before version 22. */
export const withWebSocket = (platform: ClientPlatform): ClientPlatform => {
  if (typeof platform.WebSocket === "function") return platform
  throw new TypeError("There is no WebSocket here: run this on Node from version 22 on, Deno, Bun or in a browser.")
}
