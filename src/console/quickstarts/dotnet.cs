using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
var settings = builder.Configuration;
var redirectUri = new Uri(settings["OAUTH_REDIRECT_URI"]!);

builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = settings["OAUTH_ISSUER"];
        // Plain http is allowed only if the server runs on this machine.
        options.RequireHttpsMetadata = !options.Authority!.StartsWith("http:");
        options.ClientId = settings["OAUTH_CLIENT_ID"];
        options.ClientSecret = settings["OAUTH_CLIENT_SECRET"];
        options.ResponseType = "code";
        options.ResponseMode = "query";
        options.UsePkce = true;
        options.CallbackPath = redirectUri.AbsolutePath;
        options.MapInboundClaims = false;
        // The id_token identifies the session that a sign-out ends.
        options.SaveTokens = true;
        options.Events.OnRedirectToIdentityProviderForSignOut = context =>
        {
            context.ProtocolMessage.PostLogoutRedirectUri = settings["OAUTH_POST_LOGOUT_REDIRECT_URI"];
            return Task.CompletedTask;
        };
        options.TokenValidationParameters.NameClaimType = "name";
        options.Scope.Clear();
        foreach (var scope in settings["OAUTH_SCOPE"]!.Split(' ')) options.Scope.Add(scope);
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();

app.MapGet("/", (HttpContext context) =>
    $"Signed in as {context.User.Identity?.Name ?? context.User.FindFirst("sub")?.Value}").RequireAuthorization();

app.MapGet("/logout", () => Results.SignOut(
    new AuthenticationProperties { RedirectUri = "/" },
    [CookieAuthenticationDefaults.AuthenticationScheme, OpenIdConnectDefaults.AuthenticationScheme]));

app.Run($"http://localhost:{settings["PORT"] ?? redirectUri.Port.ToString()}");
