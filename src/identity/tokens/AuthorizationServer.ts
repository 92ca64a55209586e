import { SCOPES } from "../../api/Authorization.ts"

/** What a client may read of this authorization server before it begins. RFC 8414, section 2. */
export const metadataOf = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/api/v1/auth/token`,
  revocation_endpoint: `${issuer}/api/v1/auth/revoke`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  scopes_supported: SCOPES,
  response_types_supported: [],
  grant_types_supported: ["client_credentials", "refresh_token"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  service_documentation: `${issuer}/docs`
})
