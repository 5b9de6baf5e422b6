import { html } from "../../html/html.ts";
import type { InviteWords } from "../en/invite.ts";
import { plural } from "./plural.ts";

export const inviteWords: InviteWords = {
  title: "Invitaciones",
  one: "Invitación",
  lead: plural({
    one: (figure) =>
      `Cada persona invitada recibe su propio enlace. Sirve una sola vez, durante ${figure} día.`,
    other: (figure) =>
      `Cada persona invitada recibe su propio enlace. Sirve una sola vez, durante ${figure} días.`,
  }),
  email: "Correo electrónico",
  emailHelp: "Solo la persona con esta dirección puede aceptar.",
  role: "Rol",
  submit: "Invitar",
  errors: {
    email: "Escribe una dirección de correo electrónico, por ejemplo nombre@example.com.",
    member: "Quien tiene esta dirección ya es miembro.",
    role: "Elige un rol.",
    role_above: "No puedes conceder este rol.",
    invited_above: "Esta dirección ya tiene una invitación a un rol que no puedes conceder.",
    look_alike: "Hay una invitación abierta para una dirección que se lee igual. Retírala antes.",
    too_many_open: "Hay demasiadas invitaciones abiertas. Retira antes alguna.",
    throttled:
      "Se han hecho demasiadas invitaciones, o enviado demasiados correos a esta dirección. Inténtalo más tarde.",
    inactive: "La organización está desactivada, así que nadie puede unirse.",
  },
  made: (email) => html`${email} tiene una invitación`,
  mailed: "Un mensaje con el enlace está en camino.",
  notMailed: "Este servidor no envía correo, así que entrega tú el enlace.",
  shownOnce: "Solo se muestra esta vez. No se lo des a nadie más que a la persona invitada.",
  open: "Invitaciones abiertas",
  none: "No hay invitaciones abiertas",
  by: "Invitación de",
  until: "Sirve hasta",
  action: "Acción",
  withdraw: "Retirar",
  withdrawOf: (email) => `Retirar la invitación de ${email}`,
  withdrawn: "La invitación se ha retirado. Su enlace ya no sirve.",
};
