import { PageHead } from "../ui/PageHead.tsx"

/** Plan and limits. */
const PlanPage = () => <PageHead title="Plan and limits" />

export default PlanPage
