import { describe, expect, it } from "bun:test"
import { connect } from "../../../scripts/bench/HttpConnection.ts"

describe("a connection", () => {
  it("asks as its caller, one request after the other, and gives answers whole", async () => {
    const long = "ü".repeat(150_000)
    const server = Bun.serve({
      port: 0,
      fetch: async (request) =>
        new Response(`${request.method} ${request.headers.get("authorization")} ${await request.text()} ${long}`, {
          status: request.method === "GET" ? 200 : 409
        })
    })
    const connection = await connect(server.port!, "t")
    const first = await connection.ask("GET /a")
    const second = await connection.ask("POST /b", `{"é":1}`)
    connection.close()
    await server.stop(true)
    expect(first).toEqual({ status: 200, body: `GET Bearer t  ${long}` })
    expect(second).toEqual({ status: 409, body: `POST Bearer t {"é":1} ${long}` })
  })

  it("fails what waits when the server closes it, and what is asked after", async () => {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end() }
    })
    const connection = await connect(server.port, "t")
    for (const path of ["/a", "/b"]) await expect(connection.ask(`GET ${path}`)).rejects.toThrow("closed")
    server.stop(true)
  })
})
