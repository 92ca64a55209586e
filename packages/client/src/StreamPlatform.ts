/** A WebSocket, as far as the client of the stream needs one. Every standard one is. */
export interface StreamSocket {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: "open", listener: () => void): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void
}

/** What the client of the stream takes from where it runs. */
export interface StreamPlatform {
  readonly WebSocket: new (url: string, protocols: Array<string>) => StreamSocket
  /** Milliseconds since any moment. */
  readonly now: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  /** Runs something after so many milliseconds. Answers how to call it off. */
  readonly after: (millis: number, run: () => void) => () => void
}

/** The platform of Bun, of Node from version 22 on, and of browsers. */
export const standardPlatform = (): StreamPlatform => ({
  WebSocket: globalThis.WebSocket,
  now: () => performance.now(),
  random: () => Math.random(),
  after: (millis, run) => {
    const timer = setTimeout(run, millis)
    return () => clearTimeout(timer)
  }
})
