/** Whether a user was erased, or is an API client that is deleted or whose maker was erased, by the column that has the id. */
export const isGone = (column: string): string => `(
  EXISTS (SELECT FROM erasures WHERE erasures.id = ${column})
  OR EXISTS (SELECT FROM api_clients AS client WHERE client.principal_id = ${column}
    AND (client.deleted_at IS NOT NULL OR EXISTS (SELECT FROM erasures WHERE erasures.id = client.created_by))))`
