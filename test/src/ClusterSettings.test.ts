import { describe, expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { Settings } from "../../src/Config.ts"
import { itEffect } from "../lib/Effects.ts"

const clusterOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Settings, ({ cluster }) => cluster).pipe(Effect.provide(Settings.layerOf(variables)))

const refusal = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(clusterOf(variables)), ({ message }) => message)

const SECRET = "a secret of thirty-two characters"

const ON = {
  APP_MODE: "sandbox",
  CLUSTER: "on",
  NODE_ADDRESS: "10.0.0.7:7100",
  CLUSTER_SECRET: SECRET,
  PUBLIC_URL: "http://emporion.example",
  DATABASE_URL: "postgresql://emporion@db/emporion"
}

describe("Settings of a node of several", () => {
  itEffect("are none where the process is alone", () =>
    Effect.gen(function* () {
      expect(yield* clusterOf({})).toBeUndefined()
      expect(yield* clusterOf({ ...ON, CLUSTER: "off" })).toBeUndefined()
    })
  )

  itEffect("take an address and a secret, and show no secret", () =>
    Effect.gen(function* () {
      const cluster = yield* clusterOf(ON)
      expect(cluster?.address).toEqual({ host: "10.0.0.7", port: 7100 })
      expect(cluster?.listen).toEqual({ host: "10.0.0.7", port: 7100 })
      expect(cluster && Redacted.value(cluster.secret)).toBe(SECRET)
      expect(Bun.inspect(cluster)).not.toContain(SECRET)
      expect((yield* clusterOf({ ...ON, NODE_ADDRESS: "[fd00::7]:7100" }))?.address.host).toBe("[fd00::7]")
    })
  )

  itEffect("take another address to listen on", () =>
    Effect.gen(function* () {
      const cluster = yield* clusterOf({ ...ON, NODE_LISTEN: "0.0.0.0:7200" })
      expect(cluster?.listen).toEqual({ host: "0.0.0.0", port: 7200 })
      expect(cluster?.address).toEqual({ host: "10.0.0.7", port: 7100 })
    })
  )

  itEffect("say what is missing or wrong", () =>
    Effect.gen(function* () {
      expect(yield* refusal({ ...ON, NODE_LISTEN: "7200" })).toStartWith("NODE_LISTEN: expected a host and a port")
      for (const wrong of ["7100", "db", "db:0", "a b:1", ":7100", "db:70000"]) {
        expect(yield* refusal({ ...ON, NODE_ADDRESS: wrong })).toStartWith("NODE_ADDRESS: expected a host and a port")
      }
      const short = yield* refusal({ ...ON, CLUSTER_SECRET: "short secret" })
      expect(short).toBe("CLUSTER_SECRET: expected at least 32 characters.")
      for (const missing of ["NODE_ADDRESS", "CLUSTER_SECRET", "DATABASE_URL", "PUBLIC_URL", "SECRET_KEY"]) {
        const line = yield* refusal({ ...ON, [missing]: "" })
        expect(line).toStartWith(`${missing}: expected`)
        expect(line).toEndWith("which CLUSTER=on requires.")
      }
    })
  )
})
