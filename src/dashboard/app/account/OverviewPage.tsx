import { PageHead } from "../ui/PageHead.tsx"

/** The first page. */
const OverviewPage = () => <PageHead title="Overview" />

export default OverviewPage
