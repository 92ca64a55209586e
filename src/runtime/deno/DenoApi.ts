/** What is used of Deno's own API, as `deno types` describes it. */
export interface DenoApi {
  readonly serve: (options: DenoServeOptions, handler: DenoHandler) => DenoHttpServer
  readonly upgradeWebSocket: (request: Request, options: DenoUpgradeOptions) => DenoUpgrade
}

export interface DenoServeOptions {
  readonly port: number
  readonly hostname: string
  /** In PEM. */
  readonly cert?: string
  readonly key?: string
  readonly onError: (error: unknown) => Response
  readonly onListen: () => void
}

export type DenoHandler = (
  request: Request,
  info: { readonly remoteAddr: { readonly hostname: string; readonly port: number } }
) => Response | Promise<Response>

export interface DenoHttpServer {
  readonly addr: { readonly port: number }
  /** Resolves when all connections have ended. */
  readonly shutdown: () => Promise<void>
}

export interface DenoUpgradeOptions {
  /** Of those that the client offers. */
  readonly protocol?: string
  /** Seconds: a client that sends nothing for half of them is pinged, and closed after the other half. */
  readonly idleTimeout: number
}

export interface DenoUpgrade {
  /** The 101. */
  readonly response: Response
  readonly socket: WebSocket
}

/** Deno's own API. */
export const deno: DenoApi = (globalThis as unknown as { readonly Deno: DenoApi }).Deno
