import { PageHead } from "../ui/PageHead.tsx"

/** Usage. */
const UsagePage = () => <PageHead title="Usage" />

export default UsagePage
