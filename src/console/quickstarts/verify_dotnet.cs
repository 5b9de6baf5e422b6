// dotnet add package Microsoft.AspNetCore.Authentication.JwtBearer
var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication("Bearer")
    .AddJwtBearer(options =>
    {
        options.Authority = "http://localhost:3000";
        // Plain http is allowed only if the server runs on this machine.
        options.RequireHttpsMetadata = !options.Authority.StartsWith("http:");
        options.Audience = "https://api.example.com";
        options.MapInboundClaims = false;
        options.TokenValidationParameters.ValidTypes = ["at+jwt"];
        options.TokenValidationParameters.ValidAlgorithms = ["RS256"];
    });
builder.Services.AddAuthorizationBuilder().AddPolicy("read", policy =>
    policy.RequireAssertion(context => context.User.FindFirst("scope")?.Value.Split(' ').Contains("read") == true));

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => context.User.FindFirst("sub")?.Value).RequireAuthorization("read");
app.Run();
