// What is drawn over bodies: arrows where they touch, and the edges of their elements.

import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, InstancedMesh, LatheGeometry, LineBasicMaterial, LineSegments, Matrix4,
  MeshBasicMaterial, OctahedronGeometry, Quaternion, Vector2, Vector3,
} from "three";

const UP = new Vector3(0, 1, 0);
const MOST = 400; // contacts
// half the outline of an arrow of length 1 on a ball
const ARROW = [[0, -0.09], [0.07, -0.055], [0.09, 0], [0.07, 0.055], [0.03, 0.08], [0.03, 0.7], [0.1, 0.7], [0, 1]];

// Points where bodies touch obstacles, and the normals there, as arrows that are seen through the bodies.
export class Contacts {
  constructor(size) {
    this.size = size;
    const material = new MeshBasicMaterial({ color: 0xc0244d, depthTest: false, transparent: true, opacity: 0.85 });
    this.node = new InstancedMesh(new LatheGeometry(ARROW.map(([x, y]) => new Vector2(x, y)), 8), material, MOST);
    this.node.instanceMatrix.setUsage(DynamicDrawUsage);
    this.node.frustumCulled = false;
    this.node.renderOrder = 5;
    this.node.count = 0;
  }

  // contacts: point and normal, six numbers each
  update(contacts) {
    const count = Math.min(contacts.length / 6, MOST);
    const length = 0.1 * this.size * Math.min(1, Math.max(0.4, Math.sqrt(40 / (count || 1)))); // many are smaller
    const [at, normal, turn, scale, matrix] = [new Vector3(), new Vector3(), new Quaternion(), new Vector3(length, length, length), new Matrix4()];
    for (let i = 0; i < count; i++) {
      normal.fromArray(contacts, 6 * i + 3).normalize();
      this.node.setMatrixAt(i, matrix.compose(at.fromArray(contacts, 6 * i), turn.setFromUnitVectors(UP, normal), scale));
    }
    this.node.count = count;
    this.node.instanceMatrix.needsUpdate = true;
  }
}

// Where the scene holds bodies: small dots on the vertices that are held.
export class Holds {
  constructor(size, bodies, arrays) {
    this.held = bodies.map((_, k) => arrays[`held:${k}`] ?? []);
    const count = this.held.reduce((sum, some) => sum + some.length, 0);
    this.node = new InstancedMesh(new OctahedronGeometry(0.007 * size, 1), new MeshBasicMaterial({ color: 0xd98a1f }), count);
    this.node.instanceMatrix.setUsage(DynamicDrawUsage);
    this.node.frustumCulled = false;
  }

  update(bodies) {
    const [at, matrix] = [new Vector3(), new Matrix4()];
    let i = 0;
    this.held.forEach((some, k) => {
      for (const vertex of some) {
        if (bodies[k].node.visible) this.node.setMatrixAt(i++, matrix.setPosition(at.fromArray(bodies[k].positions, 3 * vertex)));
      }
    });
    this.node.count = i;
    this.node.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.node.removeFromParent();
    this.node.geometry.dispose();
    this.node.material.dispose();
  }
}

// Edges of elements: which nodes they join comes once, where these are with each frame.
export class Elements {
  constructor({ nodes, pairs }) {
    const geometry = new BufferGeometry();
    this.place = new BufferAttribute(new Float32Array(3 * nodes), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.place);
    geometry.setIndex(new BufferAttribute(pairs, 1));
    this.node = new LineSegments(geometry, new LineBasicMaterial({ color: 0x14283f, transparent: true, opacity: 0.55 }));
    this.node.frustumCulled = this.node.visible = false;
    this.node.renderOrder = 3;
  }

  update(nodes) {
    this.node.visible = nodes?.length === this.place.array.length;
    if (!this.node.visible) return;
    this.place.array.set(nodes);
    this.place.needsUpdate = true;
  }

  dispose() {
    this.node.removeFromParent();
    this.node.geometry.dispose();
    this.node.material.dispose();
  }
}
