import { Option } from "commander";

/** An option that also accepts values beyond its `argChoices`. */
export class OpenOption extends Option {}
