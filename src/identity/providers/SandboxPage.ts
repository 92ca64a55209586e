import type { Pending } from "./PendingSignIns.ts"

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The headers of the page: its form may be sent here, and lead on to the callback page. */
export const headersFor = (callback: URL): Readonly<Record<string, string>> => ({
  "content-security-policy": `default-src 'none'; form-action 'self' ${callback.origin}; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "same-origin"
})

/** A page that asks who to sign in as: at the identity provider, or as the owner of a shop. */
export const render = ({ shop, state }: Pending): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox sign-in</title></head>
<body>
<h1>${shop === undefined ? "Sandbox sign-in" : `Sandbox shop ${escaped(shop)}`}</h1>
<p>Nobody is asked for a password here: sign in as anyone who has no account with one. Production has no such page.</p>
<form method="post" action="/api/auth/${shop === undefined ? "google" : "ecommerce"}">
<input type="hidden" name="state" value="${escaped(state)}">
<p><label>Email <input type="email" name="email" required maxlength="254"></label></p>
<p><label>Name <input name="name" maxlength="200"></label></p>
<p><button>Sign in</button></p>
</form>
</body>
</html>
`
