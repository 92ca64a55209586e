/**
 * Loaded before every test file: holds each answer of the platform that any client receives against the contract. The
 * client gets an error, and the test fails also where the client makes nothing of it.
 */
import { afterEach } from "bun:test"
import type { Contract } from "./Contract.ts"

/** Headers that only an answer of the platform has. */
const OURS = ["x-ratelimit-limit", "x-request-id"] as const

const send = globalThis.fetch

let contract: Contract | undefined

/** Loaded by the first answer, so that a test without a server pays nothing. */
const loaded = async (): Promise<Contract> => {
  const { Contract } = await import("./Contract.ts")
  contract ??= new Contract()
  return contract
}

const targetOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : String(input))

const methodOf = (input: string | URL | Request, init: RequestInit | undefined): string =>
  (init?.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase()

/** An answer breaks the contract. */
export class ContractBroken extends Error {}

let broken: ContractBroken | undefined

afterEach(() => {
  const found = broken
  broken = undefined
  if (found !== undefined) throw found
})

const watched = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const response = await send(input, init)
  const { headers, status } = response
  if (response.redirected || !OURS.some((name) => headers.has(name))) return response
  const text = await response
    .clone()
    .text()
    .catch(() => undefined)
  const method = methodOf(input, init)
  const { pathname: path } = targetOf(input)
  const problem = (contract ?? (await loaded())).problemOf({ method, path, status, headers, text })
  if (problem === undefined) return response
  broken = new ContractBroken(`${method} ${path} answered ${status}: ${problem}: ${text?.slice(0, 500)}`)
  throw broken
}

globalThis.fetch = Object.assign(watched, { preconnect: send.preconnect })
