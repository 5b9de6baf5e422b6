import { details } from "./en/details.ts";
import { fieldErrors } from "./en/field_errors.ts";
import { providerFindings } from "./en/provider_findings.ts";

/** What programs and terminals are told, whose language is English. */
export const english = { fieldErrors, details, providerFindings };
