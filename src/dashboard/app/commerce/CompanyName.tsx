import { useApi } from "../Data.ts"
import { usePerson } from "../shell/Session.tsx"
import { CopyId } from "../ui/CopyField.tsx"

/** Companies whose names are asked for: the person's own and those that it manages. */
const MOST = 100

/**
 * The names of the companies that the API tells this person: its own and those that it manages, to an administrator
 * all. Of others it tells the id alone.
 */
export const useCompanyNames = (): ReadonlyMap<string, string> => {
  const { company_id, company_name } = usePerson()
  const { data = [] } = useApi("GET /v1/companies", { query: { limit: MOST } })
  return new Map([[company_id, company_name], ...data.map(({ id, name }) => [id, name] as const)])
}

/** A company by its name where it is known, else by a short id that can be copied whole. */
export const CompanyName = ({ id }: { readonly id: string }) => {
  const name = useCompanyNames().get(id)
  return name === undefined ? <CopyId value={id} /> : <span title={id}>{name}</span>
}
