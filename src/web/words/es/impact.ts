import type { ImpactWords } from "../en/impact.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const impactWords: ImpactWords = {
  atLeast: (figure) => `al menos ${figure}`,
  kinds: {
    tokens: counted("token se revoca al instante", "tokens se revocan al instante"),
    people: counted("persona pierde el acceso", "personas pierden el acceso"),
    sessions: counted("sesión en un navegador termina", "sesiones en navegadores terminan"),
    consents: counted("consentimiento se retira", "consentimientos se retiran"),
    secrets: counted("secreto deja de servir", "secretos dejan de servir"),
    apps: counted("aplicación deja de funcionar", "aplicaciones dejan de funcionar"),
    members: counted("persona deja de ser miembro", "personas dejan de ser miembros"),
    key_pairs: counted("par de claves deja de servir", "pares de claves dejan de servir"),
    api_keys: counted("clave de API deja de servir", "claves de API dejan de servir"),
    service_accounts: counted(
      "cuenta de servicio deja de funcionar",
      "cuentas de servicio dejan de funcionar",
    ),
    linked_accounts: counted("cuenta vinculada se olvida", "cuentas vinculadas se olvidan"),
    passkeys: counted("llave de acceso se elimina", "llaves de acceso se eliminan"),
    authenticator_apps: counted(
      "aplicación de autenticación se elimina",
      "aplicaciones de autenticación se eliminan",
    ),
    recovery_codes: counted(
      "código de recuperación deja de servir",
      "códigos de recuperación dejan de servir",
    ),
    apis: counted("API se desactiva", "API se desactivan"),
    providers: counted("proveedor se desactiva", "proveedores se desactivan"),
    invitations: counted("invitación se retira", "invitaciones se retiran"),
    holders: counted("miembro pierde el rol", "miembros pierden el rol"),
    groups: counted("grupo deja de otorgar el rol", "grupos dejan de otorgar el rol"),
    group_members: counted("miembro sale del grupo", "miembros salen del grupo"),
    left_groups: counted("grupo pierde a este miembro", "grupos pierden a este miembro"),
  },
};
