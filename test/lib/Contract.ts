import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { isDeepStrictEqual } from "node:util"
import { Api } from "../../src/api/Api.ts"
import { CATALOGUE, type Code, shapeOf } from "../../src/api/ApiError.ts"
import { make } from "../../src/http/OpenApiDocument.ts"
import { ProbeApi } from "./ProbeApi.ts"

/** An answer as far as the contract says what it must be. */
export interface SeenAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  /** Undefined where it could not be read to its end. */
  readonly text: string | undefined
}

interface Header {
  readonly $ref?: string
  readonly required?: boolean
}

interface DocumentedAnswer {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>
}

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedAnswer>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly headers: Readonly<Record<string, Header>>
  }
}

const documentOf = (document: ReturnType<typeof make>): Document => document as unknown as Document

/** The platform's document, and beside it that of the contract that tests of the conventions use. */
const load = (): Document => {
  const platform = documentOf(make(Api))
  const probe = documentOf(make(ProbeApi))
  return {
    ...platform,
    paths: { ...probe.paths, ...platform.paths },
    components: { ...platform.components, schemas: { ...probe.components.schemas, ...platform.components.schemas } }
  }
}

const ID = "contract"

const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"))

const templateOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+")}$`)

/** Headers of every answer, whoever gives it. Specification 8. */
const ALWAYS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"] as const

const mediaType = (type: string): string => type.split(";", 1)[0]?.trim() ?? ""

/**
 * What the OpenAPI document says of answers. Validators are compiled once, when they are first needed, and schemas of the
 * same text have one: most answers are the same few refusals.
 */
export class Contract {
  readonly #document = load()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } })
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #validatorsByText = new Map<string, ValidateFunction>()
  readonly #templates: ReadonlyArray<readonly [RegExp, string]>

  constructor() {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(this.#document as object, ID)
    this.#templates = Object.keys(this.#document.paths)
      .filter((path) => path.includes("{"))
      .map((path) => [templateOf(path), path])
  }

  /** The path as the document names it; a fixed one before one with parameters. */
  #pathOf(path: string): string | undefined {
    if (this.#document.paths[path] !== undefined) return path
    return this.#templates.find(([pattern]) => pattern.test(path))?.[1]
  }

  /** What is wrong with an answer by the document, if anything. */
  problemOf(answer: SeenAnswer): string | undefined {
    const unsaid = ALWAYS.find((name) => !answer.headers.has(name))
    if (unsaid !== undefined) return `the header ${unsaid} is missing`
    if (isPage(answer)) return undefined
    const path = answer.path.includes(";") ? undefined : this.#pathOf(answer.path)
    const method = answer.method === "HEAD" ? "get" : answer.method.toLowerCase()
    const operation = path === undefined ? undefined : this.#document.paths[path]?.[method]
    if (operation === undefined || isNowhere(answer)) return ofAddress(answer)
    const documented = operation.responses[answer.status]
    if (documented === undefined) return "the status is not documented"
    return (
      this.#missingHeader(documented, answer.headers) ??
      (answer.method === "HEAD"
        ? undefined
        : this.#bodyProblem(`${path} ${method} ${answer.status}`, documented, answer))
    )
  }

  #missingHeader({ headers = {} }: DocumentedAnswer, given: Headers): string | undefined {
    for (const [name, header] of Object.entries(headers)) {
      const { required = false } =
        header.$ref === undefined
          ? header
          : (this.#document.components.headers[header.$ref.split("/").at(-1) ?? ""] ?? {})
      if (required && given.get(name) === null) return `the header ${name} is missing`
    }
    return undefined
  }

  #bodyProblem(key: string, { content }: DocumentedAnswer, { headers, text }: SeenAnswer): string | undefined {
    const given = headers.get("content-type")
    if (content === undefined || text === undefined) {
      return text === undefined || text === "" ? undefined : "a body is not documented"
    }
    const type = Object.keys(content).find((type) => mediaType(type) === mediaType(given ?? ""))
    if (type === undefined) return `the content type ${given} is not documented`
    if (mediaType(type) !== "application/json") return undefined
    const validate = this.#validatorOf(key, type, content[type]?.schema)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return "the body is not JSON"
    }
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    return `the body${error?.instancePath ?? ""} ${error?.message ?? "is wrong"}`
  }

  #validatorOf(key: string, type: string, schema: unknown): ValidateFunction {
    const known = this.#validators.get(key)
    if (known !== undefined) return known
    const text = JSON.stringify(schema)
    const validate = this.#validatorsByText.get(text) ?? this.#compiled(key, type)
    this.#validatorsByText.set(text, validate)
    this.#validators.set(key, validate)
    return validate
  }

  #compiled(key: string, type: string): ValidateFunction {
    const [path = "", method = "", status = ""] = key.split(" ")
    const pointer = ["paths", path, method, "responses", status, "content", type, "schema"].map(escaped).join("/")
    return this.#ajv.compile({ $ref: `${ID}#/${pointer}` })
  }
}

const KEYS = {
  arena: ["code", "message", "success"],
  oauth: ["code", "error", "error_description", "message"],
  platform: ["code", "message"]
}

/** What the refusal of a malformed request has besides. */
const FAULTS = ["errors", "request_id"]

const NOWHERE = CATALOGUE.not_found.sentence

/** A page or a file of the dashboard, which is no operation. */
const isPage = ({ method, path, status }: SeenAnswer): boolean =>
  status === 200 && method === "GET" && /^\/dashboard(\/|$)/.test(path)

/** A server that has not the path's operation, or a path that no parameter takes, such as one with a broken escape. */
const isNowhere = ({ method, status, text }: SeenAnswer): boolean =>
  status === 404 && (method === "HEAD" || text?.includes(NOWHERE) === true)

/** An answer that no operation gave: a preflight's, or an error in the path's shape whose code has that status. */
const ofAddress = ({ headers, method, path, status, text }: SeenAnswer): string | undefined => {
  if (status === 204) return method === "OPTIONS" ? undefined : "204 is for preflights alone"
  if (status === 405 && headers.get("allow") === null) return "405 without Allow"
  if (method === "HEAD" || text === undefined) return status < 400 ? "no operation answers here" : undefined
  try {
    const body = JSON.parse(text) as { readonly code: Code }
    const keys = Object.keys(body).toSorted()
    const known = KEYS[shapeOf(path)]
    const expected = keys.includes("errors") ? [...known, ...FAULTS].toSorted() : known
    if (!isDeepStrictEqual(keys, expected)) return `the body has ${keys.join(", ")}`
    return CATALOGUE[body.code]?.status === status ? undefined : `${body.code} is not of this status`
  } catch {
    return "the body is not JSON"
  }
}
