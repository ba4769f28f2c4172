package hocket.rl.envs.physics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.dyn4j.collision.CategoryFilter;
import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.BodyFixture;
import org.dyn4j.dynamics.ContinuousDetectionMode;
import org.dyn4j.dynamics.Settings;
import org.dyn4j.dynamics.contact.ContactConstraint;
import org.dyn4j.dynamics.contact.SolvedContact;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.MassType;
import org.dyn4j.geometry.Polygon;
import org.dyn4j.geometry.Rectangle;
import org.dyn4j.geometry.Segment;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.World;

/**
 * The bodies of one episode of a {@link LunarLander}: the ground, the lander, and two legs on motorised joints.
 *
 * <p>dyn4j solves contacts by sequential impulses, as Box2D does. What differs is set here as in Box2D: no damping, 180 iterations
 * for velocities and 60 for positions, {@link LegJoint}s, and the ground raised by the 0.02 by which Box2D thickens shapes. A
 * contact is noticed at the start of the next step, or in the same step where a body sinks into the ground so far that Box2D
 * would stop it. dyn4j's own continuous detection is off: it overturns landers that touch the ground with one leg.
 */
final class LunarBodies {
    static final double SECONDS = 1.0 / 50;
    static final double UNIT = 1.0 / 30;
    static final double LEG_DOWN = 18 * UNIT;
    static final double LEG_HALF_WIDTH = 2 * UNIT;
    static final double LEG_HALF_HEIGHT = 8 * UNIT;

    private static final double LEG_AWAY = 20 * UNIT;
    private static final double LEG_ANGLE = 0.05;
    private static final double LEG_TORQUE = 40;
    private static final double LEG_SPEED = 0.3;
    private static final double LEG_INNER = 0.4;
    private static final double LEG_OUTER = 0.9;
    private static final double FRICTION = 0.1;
    private static final double USUAL_FRICTION = 0.2;
    private static final double LANDER_DENSITY = 5;
    private static final double LEG_DENSITY = 1;

    /** The distance at which Box2D's shapes touch. */
    private static final double SKIN = 0.02;

    /** The depth at which Box2D's continuous detection stops a body within a step. */
    private static final double IMPACT = 0.015;

    private static final int VELOCITY_ITERATIONS = 180;
    private static final int POSITION_ITERATIONS = 60;

    private static final long GROUND = 0x0001;
    private static final long LANDER = 0x0010;
    private static final long LEG = 0x0020;

    private final World<Body> world = new World<>(4, 2);
    private final Body ground = new Body();
    private final Body lander = new Body();
    private final Body[] legs = {new Body(), new Body()};
    private final Body[] bodies = {legs[0], legs[1], lander};
    private final boolean[] touches = new boolean[bodies.length];
    private final List<Set<BodyFixture>> touched = new ArrayList<>(List.of(Set.of(), Set.of(), Set.of()));
    private double turned;

    /** Places the bodies: the lander at the top of the middle, its legs beside it. */
    LunarBodies(LunarTerrain terrain, double gravity) {
        world.setGravity(0, gravity);
        Settings settings = world.getSettings();
        settings.setVelocityConstraintSolverIterations(VELOCITY_ITERATIONS);
        settings.setPositionConstraintSolverIterations(POSITION_ITERATIONS);
        settings.setContinuousDetectionMode(ContinuousDetectionMode.NONE);
        addGround(terrain);
        add(lander, new Polygon(hull()), LANDER_DENSITY, FRICTION, LANDER);
        lander.getTransform().setTranslation(LunarTerrain.WIDTH / 2, LunarTerrain.HEIGHT);
        for (int i = 0; i < legs.length; i++) {
            addLeg(legs[i], i == 0 ? -1 : 1);
        }
    }

    /** The corners of the lander around its origin, counter-clockwise. */
    static Vector2[] hull() {
        return new Vector2[] {
            new Vector2(-14 * UNIT, 17 * UNIT),
            new Vector2(-17 * UNIT, 0),
            new Vector2(-17 * UNIT, -10 * UNIT),
            new Vector2(17 * UNIT, -10 * UNIT),
            new Vector2(17 * UNIT, 0),
            new Vector2(14 * UNIT, 17 * UNIT)
        };
    }

    private void addGround(LunarTerrain terrain) {
        addEdge(new double[] {0, SKIN}, new double[] {LunarTerrain.WIDTH, SKIN}, USUAL_FRICTION);
        for (int i = 0; i + 1 < terrain.xs.length; i++) {
            addEdge(terrain.above(i, SKIN), terrain.above(i + 1, SKIN), FRICTION);
        }
        ground.setMass(MassType.INFINITE);
        world.addBody(ground);
    }

    private void addEdge(double[] from, double[] to, double friction) {
        BodyFixture edge = ground.addFixture(new Segment(new Vector2(from[0], from[1]), new Vector2(to[0], to[1])));
        edge.setFriction(friction);
        edge.setFilter(new CategoryFilter(GROUND, LANDER | LEG));
    }

    private void add(Body body, Convex shape, double density, double friction, long category) {
        BodyFixture fixture = body.addFixture(shape, density, friction, 0);
        fixture.setFilter(new CategoryFilter(category, GROUND));
        body.setMass(MassType.NORMAL);
        body.setLinearDamping(0);
        body.setAngularDamping(0);
        world.addBody(body);
    }

    /** Adds a leg; its joint pulls it to its place beneath the lander in the first step. */
    private void addLeg(Body leg, int side) {
        add(leg, new Rectangle(2 * LEG_HALF_WIDTH, 2 * LEG_HALF_HEIGHT), LEG_DENSITY, USUAL_FRICTION, LEG);
        leg.getTransform().rotate(side * LEG_ANGLE);
        leg.getTransform().setTranslation(LunarTerrain.WIDTH / 2 - side * LEG_AWAY, LunarTerrain.HEIGHT);
        world.addJoint(new LegJoint(
                lander,
                leg,
                new Vector2(),
                new Vector2(side * LEG_AWAY, LEG_DOWN),
                side * LEG_ANGLE,
                side < 0 ? LEG_INNER : -LEG_OUTER,
                side < 0 ? LEG_OUTER : -LEG_INNER,
                side * LEG_SPEED,
                LEG_TORQUE));
    }

    /** Applies a force to the lander's centre of mass during the next step. */
    void push(double x, double y) {
        lander.applyForce(new Vector2(x, y));
    }

    /** Applies a torque to the lander during the next step. */
    void turn(double torque) {
        lander.applyTorque(torque);
    }

    /** Changes the lander's velocities at once by an impulse at a point. */
    void kick(double impulseX, double impulseY, double x, double y) {
        lander.applyImpulse(new Vector2(impulseX, impulseY), new Vector2(x, y));
    }

    /** Moves everything by one step of 1/50 s. */
    void step() {
        for (int i = 0; i < bodies.length; i++) {
            Set<BodyFixture> touching = touching(bodies[i], 0);
            if (!touching.containsAll(touched.get(i))) {
                touches[i] = false;
            }
            notice(i, touching);
            touched.set(i, touching);
        }
        world.step(1, SECONDS);
        for (int i = 0; i < bodies.length; i++) {
            Set<BodyFixture> hit = touching(bodies[i], IMPACT);
            notice(i, hit);
            touched.get(i).addAll(hit);
        }
        turned += difference(lander.getTransform().getRotationAngle(), turned);
    }

    private void notice(int body, Set<BodyFixture> edges) {
        if (!touched.get(body).containsAll(edges)) {
            touches[body] = true;
        }
    }

    /** The edges of the ground that a body has sunk into by more than a depth. */
    private Set<BodyFixture> touching(Body body, double depth) {
        Set<BodyFixture> edges = new HashSet<>();
        for (ContactConstraint<Body> contact : world.getContacts(body)) {
            for (SolvedContact point : contact.getContacts()) {
                if (point.getDepth() > depth) {
                    edges.add(contact.getBody1() == ground ? contact.getFixture1() : contact.getFixture2());
                }
            }
        }
        return edges;
    }

    /** The angle from one direction to another, in (-π, π]. */
    private static double difference(double to, double from) {
        return Math.IEEEremainder(to - from, 2 * Math.PI);
    }

    double x() {
        return lander.getTransform().getTranslationX();
    }

    double y() {
        return lander.getTransform().getTranslationY();
    }

    /** The horizontal velocity of the lander's centre of mass. */
    double velocityX() {
        return lander.getLinearVelocity().x;
    }

    double velocityY() {
        return lander.getLinearVelocity().y;
    }

    /** The lander's angle, counter-clockwise from upright; whole turns count. */
    double angle() {
        return turned;
    }

    double spin() {
        return lander.getAngularVelocity();
    }

    boolean touches(int leg) {
        return touches[leg];
    }

    boolean crashed() {
        return touches[legs.length];
    }

    /** Returns whether the lander has lain still for half a second. */
    boolean rests() {
        return lander.isAtRest();
    }

    Transform landerPose() {
        return lander.getTransform();
    }

    Transform legPose(int leg) {
        return legs[leg].getTransform();
    }
}
