import { PageHead } from "../ui/PageHead.tsx"

/** API clients. */
const ClientsPage = () => <PageHead title="API clients" />

export default ClientsPage
