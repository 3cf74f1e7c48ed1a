// Light on tiles, cloth, wood and skin: two lamps with soft shadows, a sky, gloss and a window.
// One program a kind of surface: TILE, PLAIN or GROUND; ID draws the id picture, LIGHT only depth.
in vec3 own;
in vec3 own_normal;
in vec3 place_mm;
in vec3 normal;
flat in vec4 body_paint;
flat in vec4 body_mark;
#ifdef TILE
flat in vec3 axis_x;
flat in vec3 axis_y;
#endif

uniform vec3 eye_mm;
uniform sampler2DArray faces;
uniform sampler2DArray sheets;
uniform sampler2D heights;     // how high things stand about a place, in parts of 64 mm
uniform sampler2DShadow shadow_0;
uniform sampler2DShadow shadow_1;
uniform vec4 light_a[2];
uniform vec4 light_b[2];
uniform vec4 light_d[2];
uniform vec3 light_colour[2];
uniform float light_soft[2];   // radius of the penumbra in parts of the shadow picture
uniform vec3 sky;
uniform vec3 bounce;
uniform vec4 window;           // direction of a bright window, w: its bars, 0 or 1
uniform vec3 window_a;         // its two sides, in the picture that a mirror shows of it
uniform vec3 window_b;
uniform sampler2D grain;       // noise: fine, clouds, blots, streaks
uniform vec4 wear;             // of the tiles: dirt, swelling of the face, how clear, share of the stripe
uniform vec3 stripe;           // colour of the layer between face and back
uniform vec3 dirt;
uniform vec4 falloff;          // xy: how light changes over the table per mm, z: gloss, w: window's strength
uniform vec2 finish;           // exponent of the lamps' highlights, shoulder
uniform vec3 sheet_mm;         // side of each sheet
uniform vec3 tile_mm;          // width, height, thickness
uniform vec3 back_colour;
uniform vec3 body;             // share of the thickness that is back, relief, strength of the ink
uniform float reach_mm;        // half side of the square that shadows and heights cover
out vec4 colour;

#if defined(LIGHT)
void main() { colour = vec4(1.0); }
#elif defined(ID)
void main() {
    // The upper side is 1, the face of a tile whose upper side is another one 0.5.
    float upper = dot(normalize(own_normal), body_mark.yzw) > 0.6 ? 1.0
        : normalize(own_normal).z > 0.6 ? 0.5 : 0.0;
    float id = body_mark.x;
    colour = vec4(mod(id, 256.0) / 255.0, floor(id / 256.0) / 255.0, upper, 1.0);
}
#else
// Taps on a disk that is turned from pixel to pixel, so that no step of the penumbra shows.
// Written out one by one: loops and indices known only at run time cost llvmpipe twice the time.
// A tap beside the place asks for the depth that a level surface has there: else it shades itself.
vec3 aside(vec2 turn, vec2 slope, float p, float q) {
    vec2 off = vec2(p * turn.x - q * turn.y, p * turn.y + q * turn.x);
    return vec3(off, dot(off, slope));
}
#define TAP(map, p, q) texture(map, at + aside(turn, slope, p, q))
vec2 level(vec4 a, vec4 b, vec4 d) { return -vec2(a.w * a.z, b.w * b.z) / (d.z * d.w); }

vec3 in_light(vec4 a, vec4 b, vec4 d) {
    vec3 at = vec3(dot(place_mm, a.xyz) / a.w, dot(place_mm, b.xyz) / b.w, dot(place_mm, d.xyz) / d.w);
    return at * 0.5 + vec3(0.5, 0.5, 0.4982);
}

float lit_by_first(vec2 spin) {
    vec3 at = in_light(light_a[0], light_b[0], light_d[0]);
    vec2 turn = spin * light_soft[0];
    vec2 slope = level(light_a[0], light_b[0], light_d[0]);
    return (TAP(shadow_0, 0.15, 0.75) + TAP(shadow_0, 0.6, -0.5) + TAP(shadow_0, -0.75, -0.25)) / 3.0;
}

float lit_by_second(vec2 spin) {
    vec3 at = in_light(light_a[1], light_b[1], light_d[1]);
    vec2 turn = spin * light_soft[1];
    vec2 slope = level(light_a[1], light_b[1], light_d[1]);
    return (TAP(shadow_1, 0.1, 0.7) + TAP(shadow_1, -0.2, -0.6)) / 2.0;
}

void main() {
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye_mm - place_mm);
    vec3 base = body_paint.rgb;
    float gloss = falloff.z;
    float near_floor = 1.0;
    float mirrors = 1.0;           // how well it mirrors a window,
    float rough = 1.0;             // and how blurred
#if defined(TILE)
    vec3 m = normalize(own_normal);
    float depth = own.z / tile_mm.z + 0.5;    // 0 at the back, 1 at the face
    float split = smoothstep(body.x - 0.012, body.x + 0.012, depth);
    float groove = 1.0 - 0.25 * exp(-pow((depth - body.x) / 0.018, 2.0));
    float above = smoothstep(body.x + wear.w - 0.012, body.x + wear.w + 0.012, depth);
    base = mix(back_colour, mix(stripe, body_paint.rgb, above), split) * groove;
    // Hands leave their dirt in blots, another on every tile, and more of it about the edges.
    vec4 stain = texture(grain, own.xy / 90.0 + body_mark.x * vec2(0.137, 0.311));
    float worn = wear.x * (smoothstep(0.4, 0.95, stain.b) + 0.5 * smoothstep(0.4, 0.8, stain.g) + 0.4 * smoothstep(0.98, 0.6, abs(m.z)) + 0.25 * stain.r);
    base = mix(base, base * dirt, clamp(worn, 0.0, 0.85));
    gloss *= 1.0 - 0.6 * wear.x * stain.g;
    float opaque = 1.0 - wear.z * (m.z > 0.35 ? 1.0 : 0.6);
    if (m.z > 0.35) {
        vec2 at = own.xy / tile_mm.xy;
        vec2 tip = wear.y * at;
        if (body_paint.w >= 0.0) {
            vec2 uv = at + 0.5;
            vec4 ink = texture(faces, vec3(uv, body_paint.w));
            // Engraved: the walls of the cut lean towards or away from the light.
            vec3 pale = vec3(0.33);
            vec4 right = texture(faces, vec3(uv + vec2(0.016, 0.0), body_paint.w));
            vec4 below = texture(faces, vec3(uv + vec2(0.0, 0.012), body_paint.w));
            float cut = ink.a - dot(ink.rgb, pale);
            vec2 rise = vec2(right.a - dot(right.rgb, pale), below.a - dot(below.rgb, pale)) - cut;
            tip += rise * body.y;
            ink *= smoothstep(0.35, 0.75, m.z) * body.z;
            base = base * (1.0 - ink.a) + ink.rgb * (1.0 - 0.3 * body.y * max(-rise.y, 0.0));
            opaque = max(opaque, ink.a);
        }
        n = normalize(n + axis_x * tip.x + axis_y * tip.y);
    }
#elif defined(GROUND)
    int sheet = int(body_paint.w);
    base *= texture(sheets, vec3(place_mm.xy / sheet_mm[sheet], body_paint.w)).rgb;
    vec4 patch_ = texture(grain, place_mm.xy / 900.0);
    base *= 0.94 + 0.12 * patch_.g * wear.x + 0.06 * patch_.r;
    gloss *= 0.1;
    rough = 9.0;
    mirrors = 0.7;
    near_floor = place_mm.z < -100.0 ? 0.0 : 1.0;
#else
    int sheet = int(body_paint.w);
    vec2 flat_at = abs(own.x) > abs(own.y) ? own.xy : own.yx;
    vec3 pattern = texture(sheets, vec3(flat_at / sheet_mm[max(sheet, 0)], max(body_paint.w, 0.0))).rgb;
    base *= sheet >= 0 ? pattern : vec3(1.0);
    rough = sheet >= 0 ? 5.0 : 1.5;  // wood is not plastic
    gloss *= sheet >= 0 ? 0.25 : 0.4;
    if (body_mark.x > 0.5) {  // skin is blotched and lets red light through, sleeves are creased
        vec4 blot = texture(grain, (flat_at + own.z) / (body_mark.x > 1.5 ? 160.0 : 70.0));
        bool cloth = body_mark.x > 1.5;
        base *= cloth ? vec3(0.8 + 0.4 * blot.g) : mix(vec3(0.9, 0.8, 0.78), vec3(1.1, 1.08, 1.05), blot.g);
        base *= 0.96 + 0.08 * blot.r;
        n = normalize(n + (blot.abg - 0.5) * (cloth ? 0.55 : 0.12));
        gloss *= cloth ? 0.05 : 0.6;
        mirrors = 0.12;
    }
#endif
    float light = clamp(1.0 + dot(falloff.xy, place_mm.xy), 0.3, 1.8);
    float about = texture(heights, place_mm.xy / (2.0 * reach_mm) + 0.5).r * 64.0;
    float hidden = clamp((about - max(place_mm.z, 0.0)) / 22.0, 0.0, 1.0) * near_floor;
    float open = 1.0 - 0.62 * hidden;
    vec3 sum = mix(bounce, sky, n.z * 0.5 + 0.5) * open;
    vec3 mirror = reflect(-to_eye, n);
    float fresnel = 0.04 + 0.96 * pow(1.0 - clamp(dot(n, to_eye), 0.0, 1.0), 5.0);
    vec3 shine = sky * (0.3 + 0.9 * smoothstep(-0.1, 0.9, mirror.z)) * open * fresnel;
    vec2 pane = abs(vec2(dot(mirror, window_a), dot(mirror, window_b)));
    vec2 glass = smoothstep(vec2(1.0 + 0.12 * rough), vec2(1.0 - 0.06 * rough), pane) * mix(vec2(1.0), smoothstep(0.04, 0.1, pane), window.w);
    shine += falloff.w * 0.6 * glass.x * glass.y * step(0.0, dot(mirror, window.xyz)) * mirrors;
    float noise = 6.2831853 * fract(43758.5453 * sin(dot(gl_FragCoord.xy, vec2(0.129898, 0.78233))));
    vec2 spin = vec2(cos(noise), sin(noise));
    float free = mix(1.0, open, 0.3);
    vec2 seen = vec2(mix(0.8, lit_by_first(spin), near_floor), mix(0.8, lit_by_second(spin), near_floor)) * free;
    vec2 facing = max(vec2(dot(n, -light_d[0].xyz), dot(n, -light_d[1].xyz)), 0.0);
    vec2 lobe = pow(max(vec2(dot(mirror, -light_d[0].xyz), dot(mirror, -light_d[1].xyz)), 0.0), finish.xx) * 0.9;
    sum += light_colour[0] * facing.x * seen.x + light_colour[1] * facing.y * seen.y;
    shine += light_colour[0] * seen.x * lobe.x + light_colour[1] * seen.y * lobe.y;
    vec3 c = (base * sum + shine * gloss) * light;
    c = mix(min(c, 1.0), 1.0 - exp(-1.55 * c), finish.y * 0.8);
#ifdef TILE
    colour = vec4(pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)), clamp(opaque + dot(shine, vec3(0.33)) * gloss, 0.0, 1.0));
#else
    colour = vec4(pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
#endif
}
#endif
