import { useApi } from "../Data.ts"
import { shortId } from "../ui/Format.ts"

/** A product by its name, or by its id while the name is on its way. */
export const ProductName = ({ id }: { readonly id: string }) => {
  const { data } = useApi("GET /v1/commerce/products/:id", { params: { id } })
  return data === undefined ? <code title={id}>{shortId(id)}</code> : <>{data.name}</>
}
