import { Option } from "commander";

/** An option that also accepts values other than its `argChoices`, which are only the usual ones. */
export class OpenOption extends Option {}
