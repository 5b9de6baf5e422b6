import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "Configuración",
  heading: "Configurar Postern",
  lead: "Crea la primera cuenta de administrador. Solo se puede hacer una vez.",
  name: "Nombre",
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Crear administrador",
  doneTitle: "Listo",
  done: "Postern está listo",
  doneLead: "El primer administrador está creado. Este enlace ya no se puede usar.",
  signIn: "Iniciar sesión",
  waiting: {
    heading: "Postern aún no está configurado",
    lead: "Todavía no hay ninguna cuenta.",
    where: "Al arrancar, el servidor mostró un enlace de configuración en su terminal o en su registro.",
    again: (time) =>
      `El enlace funciona una sola vez y durante ${time}. Para obtener otro, reinicia el servidor.`,
  },
  errors: {
    email: "Esto no es una dirección de correo electrónico.",
    email_taken: "Esta dirección de correo electrónico ya pertenece a alguien.",
    password_short: "Esta contraseña es demasiado corta.",
    password_long: "Esta contraseña es demasiado larga.",
    password_common: "Esta contraseña es demasiado común.",
  },
};
