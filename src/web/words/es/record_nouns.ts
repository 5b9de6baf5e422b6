import type { RecordNoun } from "../../../errors/messages.ts";

interface Noun {
  readonly gender: "m" | "f";
  readonly one: string;
  readonly many: string;
}

const masculine = (one: string, many: string): Noun => ({ gender: "m", one, many });
const feminine = (one: string, many: string): Noun => ({ gender: "f", one, many });

export const esNouns: Readonly<Record<RecordNoun, Noun>> = {
  user: masculine("usuario", "usuarios"),
  organization: feminine("organización", "organizaciones"),
  membership: feminine("pertenencia", "pertenencias"),
  "linked account": feminine("cuenta vinculada", "cuentas vinculadas"),
  "API key": feminine("clave de API", "claves de API"),
  app: feminine("aplicación", "aplicaciones"),
  "app secret": masculine("secreto de aplicación", "secretos de aplicación"),
  token: masculine("token", "tokens"),
  "authorization code": masculine("código de autorización", "códigos de autorización"),
  consent: masculine("consentimiento", "consentimientos"),
  session: feminine("sesión", "sesiones"),
  "service account": feminine("cuenta de servicio", "cuentas de servicio"),
  "key pair": masculine("par de claves", "pares de claves"),
  "signing key": feminine("clave de firma", "claves de firma"),
  "audit event": masculine("evento de auditoría", "eventos de auditoría"),
  refusal: masculine("rechazo", "rechazos"),
  invitation: feminine("invitación", "invitaciones"),
  record: masculine("registro", "registros"),
};

/** Articles and the like, masculine and feminine. */
const forms = {
  the: ["el", "la"],
  a: ["un", "una"],
  no: ["ningún", "ninguna"],
  other: ["otro", "otra"],
  same: ["el mismo", "la misma"],
} as const;

/** The noun with what stands before it: `el usuario`, `ninguna aplicación`. */
export function esNoun(before: keyof typeof forms, record: RecordNoun): string {
  const { gender, one } = esNouns[record];
  return `${forms[before][gender === "m" ? 0 : 1]} ${one}`;
}
