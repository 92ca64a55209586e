import { describe, expect, it } from "bun:test"
import { ResponseParser } from "../../../src/webhooks/ResponseParser.ts"

/** Gives an answer in pieces, and tells what was heard of it and where the connection stands after each piece. */
const reading = (pieces: ReadonlyArray<string>) => {
  const heard: Array<unknown> = []
  const parser = new ResponseParser({
    onHead: (status, location) => void heard.push(location === undefined ? status : [status, location]),
    onBody: (bytes) => void heard.push(Buffer.from(bytes).toString())
  })
  const states = pieces.map((piece) => parser.take(Buffer.from(piece)))
  return { heard, parser, states }
}

const codeOf = (state: unknown): unknown => (state instanceof Error && "code" in state ? state.code : state)

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

describe("ResponseParser", () => {
  it("reads an answer in whatever pieces it comes", () => {
    for (let cut = 1; cut < OK.length; cut += 1) {
      const { heard, states } = reading([OK.slice(0, cut), OK.slice(cut)])
      expect(states).toEqual(["open", "kept"])
      expect(heard[0]).toBe(200)
      expect(heard.slice(1).join("")).toBe("ok")
    }
  })

  it("reads the answer after on the same connection", () => {
    const { heard, parser } = reading([OK])
    parser.next()
    expect(parser.take(Buffer.from("HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n"))).toBe("open")
    expect(parser.take(Buffer.from("2\r\nno\r\n0\r\nx: y\r\n\r\n"))).toBe("kept")
    expect(heard).toEqual([200, "ok", 404, "no"])
  })

  it("says where a redirect goes, among however many headers", () => {
    const many = "x: y\r\n".repeat(100)
    const { heard } = reading([`HTTP/1.1 302 Found\r\n${many}Location: /b\r\n${many}content-length: 0\r\n\r\n`])
    expect(heard).toEqual([[302, "/b"]])
    expect(reading(["HTTP/1.1 200 OK\r\nx: location\r\ncontent-length: 0\r\n\r\n"]).heard).toEqual([200])
  })

  it("passes over what comes before the answer itself", () => {
    const early = "HTTP/1.1 103 Early Hints\r\nlocation: /early\r\n\r\n"
    expect(reading(["HTTP/1.1 100 Continue\r\n\r\n", early + OK])).toMatchObject({
      heard: [200, "ok"],
      states: ["open", "kept"]
    })
  })

  it("reads to the end of a connection that says so", () => {
    const { heard, parser, states } = reading(["HTTP/1.0 200 OK\r\n\r\nsome", "more"])
    expect(states).toEqual(["open", "open"])
    expect(parser.end()).toBe("last")
    expect(heard).toEqual([200, "some", "more"])
    const cut = reading([OK.slice(0, -1)])
    expect(cut.parser.end()).toBe("open")
  })

  it("keeps no connection that is to be closed, changes the protocol, or goes on unasked", () => {
    expect(reading(["HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"]).states).toEqual(["last"])
    expect(reading([OK + OK]).states).toEqual(["last"])
    expect(reading([`${OK}HTTP/1.1 20`]).states).toEqual(["last"])
    expect(reading([`${OK}odd`])).toMatchObject({ heard: [200, "ok"], states: ["last"] })
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"
    expect(reading([`${upgrade}abc`])).toMatchObject({ heard: [101], states: ["last"] })
  })

  it("refuses what is no HTTP, or has too much before its body", () => {
    const wrong = (text: string) => codeOf(reading([text]).states[0])
    expect(wrong("hello\r\n\r\n")).toBe("HPE_INVALID_CONSTANT")
    expect(wrong("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n")).toMatch(/^HPE_/)
    expect(wrong(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`)).toBe("HPE_HEADER_OVERFLOW")
  })
})
