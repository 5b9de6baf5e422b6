import type { SecurityWords } from "../en/security.ts";

export const securityWords: SecurityWords = {
  lead: "Con qué inicias sesión y qué ha pasado últimamente en tu cuenta.",
  password: {
    have: "Puedes iniciar sesión con tu correo y una contraseña.",
    set: "Establecer una contraseña",
    single:
      "Tienes una sola forma de iniciar sesión. Si la pierdes, pierdes la cuenta: elige una contraseña o añade otra forma.",
  },
  recent: {
    title: "Actividad reciente",
    none: "Todavía no hay nada registrado.",
    what: "Qué ha pasado",
    when: "Cuándo",
    byOther: "Un administrador",
    kinds: {
      sign_in: "Inicio de sesión",
      sign_in_failed: "Inicio de sesión fallido",
      password_reset: "Contraseña nueva mediante un enlace por correo",
      password_changed: "Contraseña cambiada",
      email_changed: "Correo electrónico cambiado",
      "passkey.created": "Llave de acceso añadida",
      "passkey.updated": "Llave de acceso con nuevo nombre",
      "passkey.deleted": "Llave de acceso eliminada",
      "passkey.refused": "Llave de acceso rechazada",
      "authenticator_app.created": "Aplicación de autenticación añadida",
      "authenticator_app.updated": "Aplicación de autenticación renombrada",
      "authenticator_app.deleted": "Aplicación de autenticación eliminada",
      "recovery_codes.created": "Códigos de recuperación nuevos",
      "recovery_code.used": "Código de recuperación usado",
      "linked_account.created": "Cuenta de un proveedor vinculada",
      "linked_account.deleted": "Cuenta de un proveedor desvinculada",
      "user.factors_reset": "Segundos factores y llaves de acceso restablecidos",
      "user.factor_removed": "Un segundo factor eliminado",
      "device.created": "Navegador recordado",
      "device.deleted": "Navegador ya no recordado",
      "recovery.created": "Recuperación de factores perdidos solicitada",
      "recovery.deleted": "Recuperación de factores perdidos cancelada",
      "recovery.finished": "Factores perdidos eliminados por una recuperación",
    },
  },
};
