import { html } from "../../html/html.ts";
import type { InvitationWords } from "../en/invitation.ts";
import { plural } from "./plural.ts";

export const invitationWords: InvitationWords = {
  roles: {
    owner: {
      name: "Propietario",
      help: "todo lo que puede un administrador; además nombra propietarios y elimina la organización",
    },
    admin: { name: "Administrador", help: "gestiona la organización, sus miembros, aplicaciones y claves" },
    developer: { name: "Desarrollador", help: "gestiona aplicaciones, sus secretos y cuentas de servicio" },
    member: { name: "Miembro", help: "ve la organización, sus miembros y sus aplicaciones" },
  },
  joinTitle: (organization) => `Unirse a ${organization}`,
  joinHeading: (organization) => html`¿Unirte a ${organization}?`,
  inviter: "Te invita",
  invited: "Invitación para",
  joinAs: "Función",
  join: "Unirme",
  signInLead: "Ya hay una cuenta con esta dirección. Inicia sesión con ella para unirte.",
  signIn: "Iniciar sesión",
  makeLead: "Todavía no hay ninguna cuenta con esta dirección. Créala y te habrás unido.",
  takenLead:
    "Otra cuenta tiene una dirección que se lee igual, así que no se puede crear ninguna con esta. Pide a quien te invitó que invite a otra de tus direcciones.",
  email: "Correo electrónico",
  name: "Nombre",
  password: "Contraseña",
  make: "Crear la cuenta y unirme",
  someoneElse: (user) => html`Has iniciado sesión como ${user} y la invitación es para otra dirección.`,
  another: "Usar otra cuenta",
  signsOut: "Al crear la cuenta se cerrará aquí la sesión de la otra.",
  deadTitle: "Esta invitación ya no sirve",
  deadLead: "Ha caducado, ya se usó o se retiró. Pide otra a quien te invitó.",
  home: "Ir a tu cuenta",
  joinedTitle: "Te has unido",
  joinedHeading: (organization) => html`Te damos la bienvenida a ${organization}`,
  joinedLead: (roles) => html`Tu rol: ${roles}.`,
  wasMember: "Ya eras miembro y tu rol sigue siendo el mismo.",
  toConsole: "Ir a la consola",
  mailSubject: (organization) => `Invitación a ${organization}`,
  mailInvites: (inviter, organization, server) =>
    `${inviter} te invita a unirte a ${organization} en ${server}.`,
  mailRole: (role) => `Tu rol allí: ${role}.`,
  mailButton: "Ver la invitación",
  mailOnce: plural({
    one: (figure) => `El enlace sirve una sola vez, durante ${figure} día y solo para esta dirección.`,
    other: (figure) => `El enlace sirve una sola vez, durante ${figure} días y solo para esta dirección.`,
  }),
  mailIgnore: "Si no sabes de qué se trata, no hagas nada.",
};
