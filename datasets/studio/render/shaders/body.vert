// One body: a mesh in its own axes, placed by an instance.
in vec3 in_position;
in vec3 in_normal;
in vec3 row_x;      // rotation, table axes from own axes
in vec3 row_y;
in vec3 row_z;
in vec3 shift_mm;
in vec3 scale;
in vec4 paint;      // linear colour; w: layer of the face or sheet, -1 for none
in vec4 mark;       // id + 1, own axis that is the upper side's normal

uniform vec3 eye_mm;
uniform mat3 view;  // rows: right, down, forward
uniform vec4 lens;  // focal x, focal y in clip units, near, far
#ifdef LIGHT
uniform vec4 cast_a;      // the light's own axes, w: half of what they span in mm
uniform vec4 cast_b;
uniform vec4 cast_d;
#endif

out vec3 own;
out vec3 own_normal;
out vec3 place_mm;
out vec3 normal;
flat out vec4 body_paint;
flat out vec4 body_mark;
#ifdef TILE
flat out vec3 axis_x;   // the tile's own axes across its face
flat out vec3 axis_y;
#endif

void main() {
    vec3 sized = in_position * scale;
    own_normal = in_normal / scale;
    place_mm = vec3(dot(row_x, sized), dot(row_y, sized), dot(row_z, sized)) + shift_mm;
    normal = vec3(dot(row_x, own_normal), dot(row_y, own_normal), dot(row_z, own_normal));
    body_paint = paint;
    body_mark = mark;
    own = sized;
#ifdef TILE
    own = in_position;      // its face and its layers grow with it
    axis_x = vec3(row_x.x, row_y.x, row_z.x);
    axis_y = vec3(row_x.y, row_y.y, row_z.y);
#endif
#ifdef LIGHT
    gl_Position = vec4(dot(place_mm, cast_a.xyz) / cast_a.w, dot(place_mm, cast_b.xyz) / cast_b.w,
                       dot(place_mm, cast_d.xyz) / cast_d.w, 1.0);
#else
    vec3 p = view * (place_mm - eye_mm);
    float depth = (lens.w + lens.z - 2.0 * lens.w * lens.z / p.z) / (lens.w - lens.z);
    gl_Position = vec4(p.x * lens.x, -p.y * lens.y, depth * p.z, p.z);
#endif
}
