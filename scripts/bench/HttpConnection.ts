/** What one request was answered with. */
export interface Answer {
  readonly status: number
  readonly body: string
}

const HEADER_END = "\r\n\r\n"

/** The head is ASCII, the body UTF-8: offsets are counted in bytes. */
const answerIn = (bytes: Buffer): Answer | undefined => {
  const end = bytes.indexOf(HEADER_END)
  if (end === -1) return undefined
  const head = bytes.toString("latin1", 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  const begin = end + HEADER_END.length
  if (bytes.length < begin + Number(length)) return undefined
  return {
    status: Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)),
    body: bytes.toString("utf8", begin, begin + Number(length))
  }
}

/** A keep-alive connection to a server of this machine, for one caller, with one request under way at most. */
export interface HttpConnection {
  /** `line` such as `GET /health`; JSON, empty for none. */
  readonly ask: (line: string, body?: string) => Promise<Answer>
  readonly close: () => void
}

export const connect = async (port: number, token: string): Promise<HttpConnection> => {
  let waiting: PromiseWithResolvers<Answer> | undefined
  let received: Buffer = Buffer.alloc(0)
  let broken: Error | undefined
  const fail = (error: Error): void => {
    broken ??= error
    waiting?.reject(broken)
  }
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, chunk) => {
        received = received.length === 0 ? Buffer.from(chunk) : Buffer.concat([received, chunk])
        try {
          const answer = answerIn(received)
          if (answer === undefined) return
          received = Buffer.alloc(0)
          waiting?.resolve(answer)
        } catch (error) {
          fail(error as Error)
        }
      },
      close: () => fail(new Error("the server closed a connection")),
      error: (_, error) => fail(error)
    }
  })
  const head = `HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n`
  return {
    ask: (line, body = "") => {
      if (broken !== undefined) return Promise.reject(broken)
      waiting = Promise.withResolvers<Answer>()
      const content =
        body === "" ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
      socket.write(`${line} ${head}${content}\r\n${body}`)
      return waiting.promise
    },
    close: () => void socket.end()
  }
}
