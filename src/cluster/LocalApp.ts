import type {
  CarriedRequest,
  CarriedResponse,
  ListenOptions,
  Peer,
  RuntimeServer,
  RuntimeSocket,
  SocketListener
} from "../runtime/ServerRuntime.ts"
import { isReading } from "./ContractTable.ts"

/** A listener of the node through which callers may reach the app. */
type Listening = RuntimeServer<unknown>

interface Serving {
  readonly options: ListenOptions<unknown>
  isListening: boolean
  /** From then on this process may give the writer's role up. */
  hasEnded: boolean
  pending: number
  /** Those that may change something. */
  changing: number
}

type Answered = Response | Promise<Response | undefined>

/** From here on a status says that the server failed. */
const FAILED = 500

/**
 * Whether a read's answer does not hold: the end of the app failed it, or it may show what the next writer wrote, under a
 * position of this one, which is lower.
 */
const isLost = ({ hasEnded, isListening }: Serving, response: Response | undefined): boolean =>
  response !== undefined && (hasEnded || (!isListening && response.status >= FAILED))

/**
 * The app of this node, while it writes. It uses the node's own listeners: one for callers, and one for other nodes,
 * which forward their callers' requests.
 */
export class LocalApp {
  #serving: Serving | undefined
  readonly #listeners: () => ReadonlyArray<Listening>

  /** @param listeners - all listeners of the app, the one for callers first */
  constructor(listeners: () => ReadonlyArray<Listening>) {
    this.#listeners = listeners
  }

  /** Whether it takes requests. */
  get isListening(): boolean {
    return this.#serving?.isListening === true
  }

  /** Requests that it has begun and not answered, after its end too. */
  get pending(): number {
    return this.#serving?.pending ?? 0
  }

  /** Listens as a runtime's server does. */
  readonly listen = <Data>(options: ListenOptions<Data>): RuntimeServer<Data> => {
    const serving: Serving = { options: options as never, isListening: true, hasEnded: false, pending: 0, changing: 0 }
    this.#serving = serving
    const listeners = this.#listeners
    const first = (): Listening | undefined => listeners()[0]
    return {
      get port() {
        return first()?.port
      },
      get protocol() {
        return first()?.protocol ?? null
      },
      get pendingRequests() {
        return serving.pending
      },
      get pendingChanges() {
        return serving.changing
      },
      upgrade: () => false,
      publish: (topic, text) => {
        for (const listener of listeners()) listener.publish(topic, text)
      },
      stop: (isAtOnce) => {
        serving.isListening = false
        if (isAtOnce === true) serving.hasEnded = true
        return Promise.resolve()
      }
    }
  }

  /**
   * Answers a request of one of the listeners; undefined if it became a WebSocket.
   *
   * @param askElsewhere - answers a read in place of the app where that ended meanwhile, and its own answer does not hold
   */
  answer(request: Request, peer: Peer, listener: Listening, askElsewhere: () => Answered): Answered {
    const serving = this.#serving
    if (serving === undefined) throw new Error("no app listens")
    const { answer, failed } = serving.options
    const isRead = isReading(request)
    const change = isRead ? 0 : 1
    serving.pending += 1
    serving.changing += change
    const done = (): void => {
      serving.pending -= 1
      serving.changing -= change
    }
    try {
      const response = answer(request, peer, listener)
      if (!(response instanceof Promise)) {
        done()
        return response
      }
      const answered = response.catch(failed).finally(done)
      return isRead ? answered.then((given) => (isLost(serving, given) ? askElsewhere() : given)) : answered
    } catch {
      done()
      return failed()
    }
  }

  /**
   * Answers a request that shares a message with others, each of which may change something.
   *
   * @param give - is told the answer once
   */
  answerCarried(request: CarriedRequest, peer: Peer, give: (response: CarriedResponse) => void): void {
    const serving = this.#serving
    if (serving === undefined) throw new Error("no app listens")
    const { answerCarried, failed } = serving.options
    serving.pending += 1
    serving.changing += 1
    const tell = (response: CarriedResponse = failed()): void => {
      serving.pending -= 1
      serving.changing -= 1
      give(response)
    }
    let answered: CarriedResponse | Promise<CarriedResponse | undefined> | undefined
    try {
      answered = answerCarried?.(request, peer)
    } catch {
      return tell()
    }
    if (answered instanceof Promise) void answered.then(tell, () => tell())
    else tell(answered)
  }

  /** The listener for the sockets that it made. */
  get sockets(): SocketListener<unknown> | undefined {
    return this.#serving?.options.sockets
  }
}

/** The listener of a socket: the app for sockets that it made, else the socket's own. */
export interface OwnSocket {
  readonly listener: SocketListener<unknown>
}

const isOwn = (data: unknown): data is OwnSocket => typeof data === "object" && data !== null && "listener" in data

/** Tells each socket's own listener, or the app. */
export const socketsOf = (app: LocalApp): SocketListener<unknown> => {
  const of = ({ data }: RuntimeSocket<unknown>): SocketListener<unknown> | undefined =>
    isOwn(data) ? data.listener : app.sockets
  return {
    open: (socket) => of(socket)?.open(socket),
    message: (socket, message) => of(socket)?.message(socket, message),
    pong: (socket, data) => of(socket)?.pong(socket, data),
    drain: (socket) => of(socket)?.drain(socket),
    close: (socket, code, reason) => of(socket)?.close(socket, code, reason),
    ended: (socket) => of(socket)?.ended(socket)
  }
}
