// Soft bodies: surfaces whose vertices come with each frame, or threads drawn as thin rods.

import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DataTexture, DoubleSide, DynamicDrawUsage, Group, InstancedMesh,
  LineBasicMaterial, LineSegments, LinearFilter, Matrix4, Mesh, MeshLambertMaterial, MeshPhysicalMaterial, Quaternion, RGBAFormat,
  SRGBColorSpace, Sphere, Vector3,
} from "three";
import { Cap } from "./caps.js";
import { release } from "./marks.js";

const UP = new Vector3(0, 1, 0);

export function palette(scale) {
  const data = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) data.set([scale[3 * i], scale[3 * i + 1], scale[3 * i + 2], 255], 4 * i);
  const texture = new DataTexture(data, 256, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function surfaceMaterial(simple, colour) {
  if (simple) return new MeshLambertMaterial({ color: colour, side: DoubleSide });
  return new MeshPhysicalMaterial({
    color: colour, roughness: 0.5, metalness: 0, clearcoat: 0.25, clearcoatRoughness: 0.5, sheen: 0.3, sheenRoughness: 0.6,
    side: DoubleSide,
  });
}

export class Body {
  constructor(scene, k, colours, simple) {
    this.about = scene.bodies[k];
    this.number = k;
    this.scales = [scene.arrays.scale, scene.arrays["two-sided scale"]];
    this.colours = colours;
    this.source = scene.arrays[`source:${k}`];
    this.cells = scene.arrays[`cells:${k}`];
    this.triangles = scene.arrays[`triangles:${k}`];
    this.wires = scene.arrays[`wires:${k}`];
    this.node = new Group();
    if (this.about.rod) this.makeRods(scene.size, simple);
    else this.makeSurface(simple);
  }

  makeSurface(simple) {
    const count = this.source.length;
    this.geometry = new BufferGeometry();
    for (const name of ["position", "normal"]) {
      this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
    }
    this.geometry.setAttribute("uv", new BufferAttribute(new Uint8Array(2 * count), 2, true).setUsage(DynamicDrawUsage));
    this.geometry.setIndex(new BufferAttribute(this.cells, 1));
    this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    this.material = surfaceMaterial(simple, this.about.colour);
    this.material.polygonOffsetFactor = this.material.polygonOffsetUnits = 1;
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = !simple;
    const lines = new BufferGeometry();
    lines.setAttribute("position", this.geometry.attributes.position);
    lines.setIndex(new BufferAttribute(this.wires, 1));
    this.lines = new LineSegments(lines, new LineBasicMaterial({ color: 0x1d2430, transparent: true, opacity: 0.32 }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.node.add(this.mesh, this.lines);
  }

  makeRods(size, simple) {
    this.radius = this.about.radius ?? 0.004 * size;
    this.material = surfaceMaterial(simple, 0xffffff);
    this.mesh = new InstancedMesh(new CylinderGeometry(1, 1, 1, 7, 1, false), this.material, this.wires.length / 2);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !simple;
    this.tint = new Color(this.tinted);
    for (let i = 0; i < this.wires.length / 2; i++) this.mesh.setColorAt(i, this.tint);
    this.node.add(this.mesh);
  }

  set wireframe(shown) {
    if (this.lines) this.lines.visible = this.material.polygonOffset = shown; // behind its lines, and only then: it would go behind what it lies on
  }

  // See through it, to what is inside or behind.
  set clear(seen) {
    this.opacity = Math.min(seen ? 0.5 : 1, this.faded ? 0.25 : 1);
    if (this.material.opacity === this.opacity) return;
    const through = this.opacity < 1;
    Object.assign(this.material, { transparent: through, opacity: this.opacity, depthWrite: !through, needsUpdate: true });
    if (this.lines) this.lines.renderOrder = through ? 2 : 0;
  }

  set colour(hue) {
    this.tintedBy = hue;
    if (this.tint) this.tint.set(this.tinted);
    this.paint();
    if (this.about.rod && this.positions) this.updateRods();
  }

  // Nothing beyond a plane is drawn; null draws all.
  set plane(plane) {
    for (const part of [this.mesh, this.lines]) {
      if (part) Object.assign(part.material, { clippingPlanes: plane ? [plane] : null, clipShadows: true, needsUpdate: true });
    }
    if (plane && this.cap === undefined) {
      this.cap = this.about.rod ? null : Cap.of(this.mesh, this.triangles, this.number, this.about.finer);
      if (this.cap) this.node.add(this.cap.node);
      this.fill(this.tets);
    }
    if (plane) this.cap?.clip(plane);
    this.clipped = Boolean(plane);
    this.paint();
  }

  // Which tets fill it; null where nobody knows.
  fill(tets) {
    this.tets = tets;
    if (this.cap) this.cap.tets = tets;
  }

  // The lid where the plane cuts, seen from where the clipped part was while the body is not seen through.
  updateCap(box, eye) {
    if (!this.cap) return;
    this.cap.node.visible = this.clipped && !(this.opacity < 1) && this.cap.plane.distanceToPoint(eye) < 0;
    if (!this.clipped) return;
    this.cap.cover(box);
    if (this.cap.node.visible) this.cap.paint(this.values ? box.inside : null, this.material.map);
  }

  // The value of the field, 0 … 1, where a ray meets the lid at a point of the plane; null where it does not.
  onLid(point, direction, axis) {
    if (!this.cap?.node.visible || !this.clipped) return null;
    return (this.hitTriangle(point, direction, 0, Infinity)?.crossings ?? 0) % 2 ? this.cap.value(point, axis) : null;
  }

  update(frame) {
    const { first, count } = this.about;
    this.positions = frame.positions.subarray(3 * first, 3 * (first + count));
    this.values = frame.colours ? frame.colours.subarray(first, first + count) : null;
    this.two = Number(frame.two);
    if (this.about.rod) this.updateRods();
    else this.updateSurface();
  }

  updateSurface() {
    const { position, normal, uv } = this.geometry.attributes;
    const [x, n, source, from] = [position.array, normal.array, this.source, this.positions];
    for (let i = 0, j = 0; i < source.length; i++, j += 3) {
      const s = 3 * source[i];
      x[j] = from[s];
      x[j + 1] = from[s + 1];
      x[j + 2] = from[s + 2];
    }
    vertexNormals(x, this.cells, n);
    position.needsUpdate = normal.needsUpdate = true;
    if (this.values) {
      for (let i = 0; i < source.length; i++) uv.array[2 * i] = this.values[source[i]];
      uv.needsUpdate = true;
    }
    const map = this.values ? this.colours[this.two] : null;
    if (this.material.map !== map) {
      this.material.map = this.material.emissiveMap = map;
      this.material.needsUpdate = true;
    }
    this.paint();
  }

  // The colour of the body, or of a field: that shines mostly by itself, so that what is seen is what the legend has.
  paint() {
    const { material } = this;
    const shown = Boolean(material.map);
    material.toneMapped = !shown;
    if (shown) {
      material.color.setScalar(0.28);
      material.emissive?.setScalar(0.75);
    } else {
      material.color.set(this.about.rod ? 0xffffff : this.tinted);
      material.emissive?.set(0x000000);
    }
    this.cap?.material.color.set(this.tinted);
    if (material.isMeshPhysicalMaterial) Object.assign(material, shown ? { clearcoat: 0, sheen: 0, specularIntensity: 0 } : { clearcoat: 0.25, sheen: 0.3, specularIntensity: 1 });
  }

  get tinted() {
    return this.tintedBy ?? this.about.colour;
  }

  updateRods() {
    const [a, b, middle, along, turn, shape, matrix, tint] = [
      new Vector3(), new Vector3(), new Vector3(), new Vector3(), new Quaternion(), new Vector3(), new Matrix4(), new Color(),
    ];
    for (let i = 0; i < this.wires.length / 2; i++) {
      const [p, q] = [this.wires[2 * i], this.wires[2 * i + 1]];
      a.fromArray(this.positions, 3 * p);
      b.fromArray(this.positions, 3 * q);
      along.subVectors(b, a);
      const length = along.length() || 1e-9;
      turn.setFromUnitVectors(UP, along.multiplyScalar(1 / length));
      matrix.compose(middle.addVectors(a, b).multiplyScalar(0.5), turn, shape.set(this.radius, length, this.radius));
      this.mesh.setMatrixAt(i, matrix);
      if (this.values) {
        const v = 3 * ((this.values[p] + this.values[q]) >> 1);
        const scale = this.scales[this.two];
        tint.setRGB(scale[v] / 255, scale[v + 1] / 255, scale[v + 2] / 255, SRGBColorSpace);
      }
      this.mesh.setColorAt(i, this.values ? tint : this.tint);
    }
    this.mesh.instanceMatrix.needsUpdate = this.mesh.instanceColor.needsUpdate = true;
  }

  // Where a ray (origin, direction) first meets the body: distance, vertices and weights, of a surface how often; null where it does not.
  // Of a ray that a plane clips, only distances from near to far count.
  hit(origin, direction, reach, near = 0, far = Infinity) {
    return this.about.rod ? this.hitVertex(origin, direction, reach) : this.hitTriangle(origin, direction, near, far);
  }

  hitTriangle(o, d, near, far) {
    const [x, t] = [this.positions, this.triangles];
    let best = null;
    let nearest = Infinity;
    let crossings = 0;
    for (let i = 0; i < t.length; i += 3) {
      const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
      const [ax, ay, az] = [x[a], x[a + 1], x[a + 2]];
      const [ux, uy, uz] = [x[b] - ax, x[b + 1] - ay, x[b + 2] - az];
      const [vx, vy, vz] = [x[c] - ax, x[c + 1] - ay, x[c + 2] - az];
      const [px, py, pz] = [d.y * vz - d.z * vy, d.z * vx - d.x * vz, d.x * vy - d.y * vx];
      const det = ux * px + uy * py + uz * pz;
      if (det === 0) continue;
      const [sx, sy, sz] = [o.x - ax, o.y - ay, o.z - az];
      const u = (sx * px + sy * py + sz * pz) / det;
      if (!(u >= 0 && u <= 1)) continue;
      const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
      const v = (d.x * qx + d.y * qy + d.z * qz) / det;
      if (!(v >= 0 && u + v <= 1)) continue;
      const distance = (vx * qx + vy * qy + vz * qz) / det;
      if (!(distance > near && distance < far)) continue;
      crossings++;
      if (distance < nearest) {
        nearest = distance;
        best = { distance, vertices: [t[i], t[i + 1], t[i + 2]], weights: [1 - u - v, u, v] };
      }
    }
    return best && { ...best, crossings };
  }

  hitVertex(o, d, reach) {
    const x = this.positions;
    let best = null;
    let least = reach; // angle of a few pixels
    for (let i = 0; i < x.length / 3; i++) {
      const [sx, sy, sz] = [x[3 * i] - o.x, x[3 * i + 1] - o.y, x[3 * i + 2] - o.z];
      const distance = sx * d.x + sy * d.y + sz * d.z;
      const across = Math.sqrt(Math.max(sx * sx + sy * sy + sz * sz - distance * distance, 0)) / distance;
      if (distance > 0 && across < least) {
        least = across;
        best = { distance, vertices: [i], weights: [1] };
      }
    }
    return best;
  }

  dispose() {
    this.cap?.dispose();
    release(this.node);
  }
}

function vertexNormals(x, cells, n) {
  n.fill(0);
  for (let i = 0; i < cells.length; i += 3) {
    const [a, b, c] = [3 * cells[i], 3 * cells[i + 1], 3 * cells[i + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    n[a] += nx; n[a + 1] += ny; n[a + 2] += nz;
    n[b] += nx; n[b + 1] += ny; n[b + 2] += nz;
    n[c] += nx; n[c + 1] += ny; n[c + 2] += nz;
  }
  for (let i = 0; i < n.length; i += 3) {
    const s = 1 / (Math.sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) || 1);
    n[i] *= s; n[i + 1] *= s; n[i + 2] *= s;
  }
}
