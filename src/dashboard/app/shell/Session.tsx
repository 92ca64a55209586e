import { useQueryClient } from "@tanstack/react-query"
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react"
import type { ReactNode } from "react"
import { call, forgetToken, keepToken, renew, whenSignedOut } from "../ApiCalls.ts"
import type { Answer } from "../Contract.ts"

/** Who is signed in. */
export type Person = Answer<"GET /api/v1/users/me">

type State =
  | { readonly _tag: "Asking" }
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "Unreachable"; readonly error: unknown }
  | { readonly _tag: "SignedIn"; readonly person: Person }

interface SessionActs {
  readonly state: State
  /** Rejects with the server's refusal. */
  readonly signIn: (email: string, password: string) => Promise<void>
  readonly signOut: () => void
  /** Asks again who is signed in, after a change. */
  readonly again: () => void
}

const nobody: State = { _tag: "Nobody" }

const Current = createContext<SessionActs>({
  state: nobody,
  signIn: () => Promise.resolve(),
  signOut: () => {},
  again: () => {}
})

/** The session's state and what changes it. */
export const useSession = (): SessionActs => useContext(Current)

/** Who is signed in. For pages, which are seen by nobody else. */
export const usePerson = (): Person => {
  const { state } = useContext(Current)
  if (state._tag !== "SignedIn") throw new Error("The page is shown without a person")
  return state.person
}

const me = async (): Promise<State> => ({ _tag: "SignedIn", person: (await call("GET /api/v1/users/me", {})).body })

const begun = async (): Promise<State> => {
  try {
    return (await renew()) ? await me() : nobody
  } catch (error) {
    return { _tag: "Unreachable", error }
  }
}

const login = async (email: string, password: string): Promise<State> => {
  const { body } = await call("POST /api/v1/auth/login", { payload: { email, password } })
  keepToken(body.access_token, body.expires_in)
  // The session's cookie renews the token, so the refresh token is given back unused.
  void call("POST /api/v1/auth/revoke", { payload: { refresh_token: body.refresh_token } }).catch(() => {})
  return me()
}

/** Keeps who is signed in. The access token lives in memory; the session's cookie, which no script can read, renews it. */
export const Session = ({ children }: { readonly children: ReactNode }) => {
  const [state, setState] = useState<State>({ _tag: "Asking" })
  const queries = useQueryClient()
  const again = useCallback(() => void begun().then(setState), [])
  useEffect(() => {
    whenSignedOut(() => setState(nobody))
    again()
  }, [again])
  const signIn = useCallback(
    async (email: string, password: string) => {
      queries.clear()
      setState(await login(email, password))
    },
    [queries]
  )
  const signOut = useCallback(() => {
    const forget = () => {
      forgetToken()
      queries.clear()
      setState(nobody)
    }
    void call("POST /v1/logout", {}).then(forget, forget)
  }, [queries])
  const acts = useMemo(() => ({ state, signIn, signOut, again }), [state, signIn, signOut, again])
  return <Current value={acts}>{children}</Current>
}
