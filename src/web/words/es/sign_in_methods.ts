import { html } from "../../html/html.ts";
import type { SignInMethodsWords } from "../en/sign_in_methods.ts";

export const signInMethodsWords: SignInMethodsWords = {
  title: "Métodos de inicio de sesión",
  level: "Nivel más alto",
  noWayIn: "No puede entrar",
  password: "Contraseña",
  isSet: "Definida",
  isImported: "Definida: importada y aún no usada aquí",
  notSet: "Sin definir",
  linked: "Cuentas vinculadas",
  recoveryCodes: "Códigos de recuperación restantes",
  noCodes: "Ninguno",
  recovery: (due, end) =>
    html`Se comunicó la pérdida de todos los segundos factores, con la contraseña y el buzón del usuario. Se podrán configurar otros desde el ${due} hasta el ${end}. Entrar con un segundo factor lo cancela.`,
  removal: (due) =>
    html`Se comunicó la pérdida de las llaves de acceso, con otros dos factores y el buzón del usuario. Se quitan después del ${due}. Entrar con una de ellas lo cancela.`,
  none: "Ninguna llave de acceso ni aplicación de autenticación.",
  factors: "Llaves de acceso y aplicaciones de autenticación",
  app: "Aplicación de autenticación",
  name: "Nombre",
  madeFor: "Creada para",
  model: "Modelo",
  added: "Añadida",
  lastUsed: "Último uso",
  never: "Nunca",
  action: "Acción",
  remove: "Eliminar",
  removeOf: (name) => html`Eliminar: ${name}`,
  levels: {
    password: "Solo contraseña",
    federated: "Solo proveedor",
    mfa: "Dos factores",
    phr: "Llave de acceso",
  },
};
