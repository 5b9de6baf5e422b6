import { html, type Printable } from "../../html/html.ts";
import type { OrganizationProfileWords } from "../en/organization_profile.ts";

export const organizationProfileWords: OrganizationProfileWords = {
  nav: "Tu organización",
  lead: "Miembros, roles, inicio de sesión y actividad de tu organización.",
  members: "Miembros",
  member: "Miembro",
  secondFactor: "Segundo factor",
  factors: {
    passkey: "Llave de acceso",
    security_key: "Llave de seguridad",
    totp: "Aplicación de autenticación",
  },
  noFactor: "Ninguno",
  all: {
    members: "Todos los miembros",
    invitations: "Todas las invitaciones",
    roles: "Todos los roles",
    providers: "Todos los proveedores",
    events: "Toda la actividad",
  },
  none: {
    roles: "Aún no hay roles propios. Los miembros tienen los predefinidos.",
    providers: "Aún no hay ningún proveedor propio.",
    events: "Aún no ha ocurrido nada.",
  },
  add: { roles: "Añadir un rol", providers: "Añadir un proveedor" },
  throughGroups: (names: Printable) => html`Por grupos: ${names}`,
  holders: "Miembros con el rol",
  assign: "Asignar roles",
  assignTo: (email) => `Asignar roles a ${email}`,
  editOf: (name) => `Editar ${name}`,
  deleteOf: (name) => `Eliminar ${name}`,
  settings: "Marca y reglas de inicio de sesión",
  settingsLead:
    "También el color y el logotipo de las páginas de inicio de sesión, quién puede registrarse y cuánto duran las sesiones.",
  edit: "Editar",
  open: "Abrir",
  event: "Evento",
  when: "Cuándo",
};
