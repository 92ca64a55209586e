type Json = unknown

type Fields = Readonly<Record<string, Json>>

const fields = (value: Json): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const list = (value: Json): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const text = (value: Json): string => (typeof value === "string" ? value : "")

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text that is safe between tags and inside quoted attributes. */
export const escape = (value: string): string => value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "")

/** Levels of nested objects that are written out. */
const MAX_DEPTH = 5

const REF = "#/components/schemas/"

const resolve = (schema: Json, schemas: Fields): Fields => {
  const reference = text(fields(schema)["$ref"])
  return reference.startsWith(REF) ? fields(schemas[reference.slice(REF.length)]) : fields(schema)
}

const unionOf = (schema: Fields): ReadonlyArray<Json> => {
  const any = list(schema["anyOf"])
  return any.length > 0 ? any : list(schema["oneOf"])
}

/** A type in a few words, such as `array of string` or `open | competing`. */
const typeName = (given: Json, schemas: Fields): string => {
  const schema = resolve(given, schemas)
  const values = list(schema["enum"])
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(" | ")
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"])
  const union = unionOf(schema)
  if (union.length > 0) return [...new Set(union.map((member) => typeName(member, schemas)))].join(" | ")
  if (schema["type"] === "array") return `array of ${typeName(schema["items"], schemas)}`
  const type = text(schema["type"])
  return type === "" ? "any" : type
}

const childOf = (given: Json, schemas: Fields): Fields => {
  const schema = resolve(given, schemas)
  return schema["type"] === "array" ? resolve(schema["items"], schemas) : schema
}

const rows = (given: Json, schemas: Fields, prefix: string, depth: number): ReadonlyArray<string> => {
  const schema = childOf(given, schemas)
  const required = new Set(list(schema["required"]).map(text))
  return Object.entries(fields(schema["properties"])).flatMap(([name, property]) => {
    const description = text(resolve(property, schemas)["description"])
    const path = `${prefix}${name}`
    const row =
      `<tr><td><code>${escape(path)}</code></td><td>${escape(typeName(property, schemas))}</td>` +
      `<td>${required.has(name) ? "yes" : "no"}</td><td>${escape(description)}</td></tr>`
    return depth === 0 ? [row] : [row, ...rows(property, schemas, `${path}.`, depth - 1)]
  })
}

const HEADINGS = "<thead><tr><th>field</th><th>type</th><th>required</th><th>notes</th></tr></thead>"

const table = (title: string, body: ReadonlyArray<string>): string =>
  body.length === 0 ? "" : `<h4>${escape(title)}</h4><table>${HEADINGS}<tbody>${body.join("")}</tbody></table>`

const jsonSchemaOf = (content: Json): Json => fields(Object.values(fields(content))[0])["schema"]

/** What a body looks like. */
const example = (content: Json): string => {
  const shown = fields(Object.values(fields(content))[0])["example"]
  return shown === undefined
    ? ""
    : `<details><summary>Example</summary><pre>${escape(JSON.stringify(shown, undefined, 2))}</pre></details>`
}

const parameters = (operation: Fields, schemas: Fields): string =>
  table(
    "Parameters",
    list(operation["parameters"]).map((given) => {
      const parameter = fields(given)
      const name = `${text(parameter["name"])} (${text(parameter["in"])})`
      return (
        `<tr><td><code>${escape(name)}</code></td><td>${escape(typeName(parameter["schema"], schemas))}</td>` +
        `<td>${parameter["required"] === true ? "yes" : "no"}</td><td>${escape(text(parameter["description"]))}</td></tr>`
      )
    })
  )

const responses = (operation: Fields, schemas: Fields): string =>
  Object.entries(fields(operation["responses"]))
    .map(([status, given]) => {
      const response = fields(given)
      const title = `${status}${text(response["description"]) === "" ? "" : ` ${text(response["description"])}`}`
      const body = status.startsWith("2") ? rows(jsonSchemaOf(response["content"]), schemas, "", MAX_DEPTH) : []
      const shown = example(response["content"])
      return (body.length === 0 ? `<p class="status">${escape(title)}</p>` : table(title, body)) + shown
    })
    .join("")

const badge = (label: string): string => `<span class="badge">${escape(label)}</span>`

/** What a caller needs: nothing, any token, or one with these scopes. An empty scheme says that none is needed. */
const needs = (operation: Fields): string => {
  const schemes = list(operation["security"]).map(fields)
  if (schemes.length === 0 || schemes.some((scheme) => Object.keys(scheme).length === 0)) return ""
  const roles = [...new Set(schemes.flatMap((scheme) => Object.values(scheme).flatMap(list)).map(text))]
  return badge(roles.length === 0 ? "token" : `token with ${roles.join(", ")}`)
}

const operationHtml = (path: string, method: string, operation: Fields, schemas: Fields): string => {
  const verb = method.toUpperCase()
  const extension = operation["x-extension"] === true ? badge("extension") : ""
  const requestBody = fields(operation["requestBody"])
  return (
    `<details id="${escape(text(operation["operationId"]))}"><summary><b class="${method}">${verb}</b> ` +
    `<code>${escape(path)}</code> ${escape(text(operation["summary"]))} ${needs(operation)}${extension}</summary>` +
    `<p>${escape(text(operation["description"]))}</p>${parameters(operation, schemas)}` +
    table("Body", rows(jsonSchemaOf(requestBody["content"]), schemas, "", MAX_DEPTH)) +
    `${example(requestBody["content"])}${responses(operation, schemas)}</details>`
  )
}

interface Operation {
  readonly tag: string
  readonly html: string
}

const operationsOf = (paths: Json, schemas: Fields): ReadonlyArray<Operation> =>
  Object.entries(fields(paths)).flatMap(([path, item]) =>
    Object.entries(fields(item)).map(([method, given]) => {
      const operation = fields(given)
      return { tag: text(list(operation["tags"])[0]), html: operationHtml(path, method, operation, schemas) }
    })
  )

/** A page that explains an OpenAPI document, without scripts and without anything from another host. */
export const render = (spec: Fields): string => {
  const info = fields(spec["info"])
  const schemas = fields(fields(spec["components"])["schemas"])
  const groups = Map.groupBy(operationsOf(spec["paths"], schemas), ({ tag }) => tag)
  const deliveries = operationsOf(spec["webhooks"], schemas).map(({ html }) => html)
  const title = escape(text(info["title"]))
  const sections = [...groups].map(
    ([tag, operations]) => `<section><h2>${escape(tag)}</h2>${operations.map(({ html }) => html).join("")}</section>`
  )
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="/docs/style.css">' +
    `</head><body><main><h1>${title} <small>${escape(text(info["version"]))}</small></h1>` +
    `<p>${escape(text(info["description"]))}</p><p><a href="/openapi.json">openapi.json</a></p>` +
    `${sections.join("")}${deliveries.length === 0 ? "" : `<section><h2>Events that webhooks deliver</h2>${deliveries.join("")}</section>`}` +
    "</main></body></html>"
  )
}

/** The page's style sheet. */
export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 small { font-weight: 400; opacity: .6 }
details { border: 1px solid #8885; border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 4.5rem; font-family: ui-monospace, monospace }
.get { color: #2563eb } .post { color: #15803d } .put, .patch { color: #b45309 } .delete { color: #b91c1c }
.badge { font-size: .75rem; border: 1px solid #8888; border-radius: 4px; padding: 0 .3rem; margin-right: .3rem }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
td, th { text-align: left; vertical-align: top; border-bottom: 1px solid #8883; padding: .25rem .5rem }
pre { overflow-x: auto; font-size: .8125rem }
h4 { margin: 1rem 0 .25rem } .status { margin: .25rem 0; font-size: .875rem; opacity: .8 }
`
