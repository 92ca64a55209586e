import { connect, type Socket } from "node:net"

/** A client's frame whose mask changes nothing. RFC 6455, 5.2. */
export const frameOf = (payload: Buffer, isText = true): Buffer => {
  const { length } = payload
  const wide = length < 126 ? 0 : length < 65_536 ? 2 : 8
  const head = Buffer.alloc(2 + wide + 4)
  head[0] = isText ? 0x81 : 0x82
  head[1] = 0x80 | (wide === 0 ? length : wide === 2 ? 126 : 127)
  if (wide === 2) head.writeUInt16BE(length, 2)
  if (wide === 8) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

export type HeaderList = Readonly<Record<string, string>>

/** A request's head as bytes. */
export const headOf = (line: string, headers: HeaderList = {}): Buffer =>
  Buffer.from(
    [
      `${line} HTTP/1.1`,
      "host: flood",
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "",
      ""
    ].join("\r\n")
  )

const UPGRADE = {
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
}

export const upgradeOf = (path: string, headers: HeaderList = {}): Buffer =>
  headOf(`GET ${path}`, { ...UPGRADE, ...headers })

/** One connection of a flood, which sends as fast as it can be sent and makes nothing of what it is told. */
export class FloodSocket {
  readonly #socket: Socket
  /** Bytes that were told. */
  told = 0
  /** What was told first, up to a kilobyte. */
  head = ""
  isOpen = true
  readonly ended: Promise<void>

  constructor(port: number, isReading = true) {
    const socket = connect({ port, host: "127.0.0.1" })
    this.#socket = socket
    if (!isReading) socket.pause()
    else {
      socket.on("data", (bytes) => {
        this.told += bytes.length
        if (this.head.length < 1_024) this.head += bytes.toString("latin1").slice(0, 1_024)
      })
    }
    this.ended = new Promise((resolve) => {
      socket.on("close", () => {
        this.isOpen = false
        resolve()
      })
    })
    // A connection that the server ends is what a flood expects.
    socket.on("error", () => {})
  }

  /** Waits until the bytes were taken over, or the connection has ended. */
  send(bytes: Buffer): Promise<void> {
    if (!this.isOpen) return Promise.resolve()
    if (this.#socket.write(bytes)) return Promise.resolve()
    return Promise.race([new Promise<void>((resolve) => void this.#socket.once("drain", resolve)), this.ended])
  }

  /** Waits for the head of the first answer, or the end. */
  async answered(): Promise<boolean> {
    while (this.isOpen && !this.head.includes("\r\n\r\n")) await Bun.sleep(1)
    return this.head.includes("\r\n\r\n")
  }

  end(): void {
    this.#socket.destroy()
  }
}
