/** `emporion-client`: the REST operations, their errors, and the types of the whole contract. */
export { ApiError, type FaultyField, NoAnswer } from "../ApiError.ts"
export type * from "../Contract.ts"
export type { CredentialOptions, TokenSource } from "../Credentials.ts"
export { type Answered, EmporionClient, type EmporionOptions, type RequestOptions } from "../EmporionClient.ts"
export type { CodeOf, ListOperation, Operation, RequestOf, ResponseOf, RowOf } from "../Operation.ts"
