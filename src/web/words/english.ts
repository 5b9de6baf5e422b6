import { details } from "./en/details.ts";
import { fieldErrors } from "./en/field_errors.ts";
import { providerFindings } from "./en/provider_findings.ts";

/** Messages for programs and terminals are always in English. */
export const english = { fieldErrors, details, providerFindings };
