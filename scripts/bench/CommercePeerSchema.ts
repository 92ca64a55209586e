/** What the commerce peer takes and answers, as JSON schemas: it validates by them and serializes by them. */

export interface OrderBody {
  readonly company_id: string
  readonly items: ReadonlyArray<{ readonly product_id: string; readonly quantity: number }>
  readonly payment_terms: { readonly type: string; readonly installments?: number }
}

export interface TransferBody {
  readonly pair: string
  readonly quantity: string
  readonly from: string
  readonly to: string
  readonly country: string
  readonly description: string
  readonly createdDate: number
  readonly mode?: string
}

const text = { type: "string" } as const
const number = { type: "number" } as const
const flag = { type: "boolean" } as const
const id = { type: "string", minLength: 1, maxLength: 200 } as const
const time = { type: "string", format: "date-time" } as const

const product = {
  type: "object",
  properties: {
    id: text,
    company_id: text,
    name: text,
    price: number,
    description: text,
    quantity: text,
    insurable: flag,
    bidable: flag,
    iscontract: flag,
    type: text,
    created_at: time
  }
} as const

export const pageSchema = {
  querystring: {
    type: "object",
    properties: {
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      offset: { type: "integer", minimum: 0, default: 0 }
    }
  },
  response: { 200: { type: "array", items: product } }
} as const

export const productSchema = {
  params: { type: "object", properties: { id } },
  response: { 200: product }
} as const

const terms = {
  type: "object",
  required: ["type"],
  properties: {
    type: { type: "string", enum: ["prepaid", "net_30", "net_60", "installments"] },
    installments: { type: "integer", minimum: 2, maximum: 12 }
  }
} as const

export const orderSchema = {
  body: {
    type: "object",
    required: ["company_id", "items", "payment_terms"],
    properties: {
      company_id: id,
      items: {
        type: "array",
        minItems: 1,
        maxItems: 1_000,
        items: {
          type: "object",
          required: ["product_id", "quantity"],
          properties: { product_id: id, quantity: { type: "integer", minimum: 1, maximum: 1_000_000 } }
        }
      },
      payment_terms: terms
    }
  },
  response: {
    200: {
      type: "object",
      properties: {
        id: text,
        company_id: text,
        status: text,
        items: {
          type: "array",
          items: { type: "object", properties: { product_id: text, quantity: { type: "integer" }, unit_price: number } }
        },
        payment_terms: terms,
        total: number,
        currency: text,
        created_at: time
      }
    }
  }
} as const

export const transferSchema = {
  body: {
    type: "object",
    required: ["pair", "quantity", "from", "to", "country", "description", "createdDate"],
    properties: {
      pair: { type: "string", pattern: "^[A-Z]{3,5}/[A-Z]{3,5}$" },
      quantity: { type: "string", pattern: "^[0-9]{1,10}(\\.[0-9]{1,6})?$" },
      from: id,
      to: id,
      country: { type: "string", maxLength: 100 },
      description: { type: "string", maxLength: 1_000 },
      createdDate: { type: "integer" },
      mode: { type: "string", enum: ["local", "international"] }
    }
  },
  response: { 200: { type: "object", properties: { from: text, to: text, quantity: text, id: text } } }
} as const
